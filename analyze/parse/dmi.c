/*
 * dmi.c - what the firmware says the machine is
 *
 * Reads   /sys/class/dmi/id/NAME (one file per value, grep . listing, path<TAB>value), dmidecode
 * Gives   setting dmi_* of the host (view firmware); virtualization when the words are those of a hypervisor
 * Sample  grep -rs . /sys/class/dmi/id
 *   | /sys/class/dmi/id/sys_vendor:HPE
 *   | /sys/class/dmi/id/product_name:ProLiant MicroServer Gen10 Plus v2
 *   | /sys/class/dmi/id/bios_version:U60
 * Varies  dmidecode has sections with "Key: value" lines; -q leaves the "Handle" lines out; "Not Specified", "Default string" and the
 *         like are no answer
 */
#include "device_text.h"
#include "parser.h"

static const char *const fields[][2] = {
    {"sys_vendor", "dmi_sys_vendor"},           {"product_name", "dmi_product_name"},
    {"product_version", "dmi_product_version"}, {"board_vendor", "dmi_board_vendor"},
    {"board_name", "dmi_board_name"},           {"bios_vendor", "dmi_bios_vendor"},
    {"bios_version", "dmi_bios_version"},       {"bios_date", "dmi_bios_date"},
    {"chassis_type", "dmi_chassis_type"},
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

/* "/sys/class/dmi/id/NAME:value"; NAME and value. */
static bool listing_line(Str line, Str *name, Str *value) {
    size_t at = str_find(line, "/dmi/id/");
    if (at == SIZE_MAX || at > 40 || !(str_starts(line, "/sys/") || str_starts(line, "sys/"))) return false;
    Str rest = str_from(line, at + strlen("/dmi/id/"));
    size_t end = 0;
    while (end < rest.len && rest.p[end] != ':' && rest.p[end] != '\t' && rest.p[end] != ' ') end++;
    *name = str_sub(rest, 0, end);
    *value = str_trim(str_from(rest, end + 1));
    return end < rest.len;
}

static bool dmidecode_title(Str line) {
    return str_starts(line, "# dmidecode ") || str_is(line, "Getting SMBIOS data from sysfs.") ||
           (str_starts(line, "Handle 0x") && str_has(line, "DMI type")) ||
           (str_starts(line, "SMBIOS ") && str_ends(line, " present."));
}

static bool section(Str line) {
    return str_is(line, "BIOS Information") || str_is(line, "System Information") ||
           str_is(line, "Base Board Information") || str_is(line, "Chassis Information");
}

static int dmi_bid(Str path, Str command, Str head) {
    int evidence = 0;
    if (!str_trim(head).len) return 0;
    for (int n = 0; head.len && n < 30; n++) {
        Str line = str_trim_right(head_line(&head)), name, value;
        if (listing_line(line, &name, &value)) evidence += 24;
        else if (dmidecode_title(line)) evidence += 20;
        else if (section(line)) evidence += 12;
        if (evidence >= 48) break;
    }
    if (evidence) return evidence + (command_is(command, "dmidecode") || path_has(path, "dmi") ? 8 : 0);
    return str_has(path, "/dmi/id/") ? 8 : 0;
}

static bool dmi_starts(Str line) {
    Str name, value;
    return listing_line(line, &name, &value) || dmidecode_title(line) || section(line);
}

static bool dmi_continues(Str line) {
    Str name, value;
    if (!str_trim(line).len || line.p[0] == '\t' || listing_line(line, &name, &value) || dmidecode_title(line))
        return true;
    if (str_starts(line, "    ") || str_starts(line, "\t") || str_starts(line, "Table at ") ||
        str_has(line, "structures occupying"))
        return true;
    return str_ends(str_trim_right(line), "Information") || str_ends(str_trim_right(line), "Device") ||
           str_starts(line, "End Of Table") || str_starts(line, "OEM") || str_starts(line, "# SMBIOS");
}

typedef struct Dmi {
    ParseCtx *ctx;
    Ref host;
    Str virt;
    Spot virt_at;
} Dmi;

/* Words that only a hypervisor's firmware tells. Amazon's bare-metal machines say "Amazon EC2" too, with a product that ends in
   ".metal". */
static const char *hypervisor(Str key, Str value) {
    static const char *const words[][2] = {
        {"VMware", "vmware"},
        {"QEMU", "kvm"},
        {"KVM", "kvm"},
        {"Bochs", "kvm"},
        {"SeaBIOS", "kvm"},
        {"innotek", "oracle"},
        {"VirtualBox", "oracle"},
        {"Xen", "xen"},
        {"BHYVE", "bhyve"},
        {"Parallels", "parallels"},
        {"OpenStack", "kvm"},
        {"DigitalOcean", "kvm"},
        {"Google Compute", "kvm"},
        {"oVirt", "kvm"},
        {"RHEV", "kvm"},
        {"Hetzner", "kvm"},
        {"Alibaba Cloud", "kvm"},
        {"Virtual Machine", "microsoft"},
        {"UTM", "kvm"},
        {"Apple Virtualization", "apple"},
        {"Nutanix AHV", "kvm"},
        {"AHV", "kvm"},
    };
    if (str_is(key, "bios_date") || str_is(key, "chassis_type")) return NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_ifind(value, words[i][0]) != SIZE_MAX) return words[i][1];
    if (str_is(value, "Amazon EC2")) return "kvm";
    return NULL;
}

static bool empty_answer(Str value) {
    static const char *const nothing[] = {"Not Specified",
                                          "Default string",
                                          "To Be Filled By O.E.M.",
                                          "To be filled by O.E.M.",
                                          "Not Applicable",
                                          "Unknown",
                                          "System Product Name",
                                          "System manufacturer",
                                          "System Version",
                                          "N/A",
                                          "None",
                                          "INVALID",
                                          "Not Present",
                                          "OEM",
                                          "x.x",
                                          NULL};
    for (size_t i = 0; nothing[i]; i++)
        if (str_ieq(value, str_of(nothing[i]))) return true;
    return value.len == 0;
}

static void field(Dmi *d, Str name, Str value, Spot at) {
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        if (!str_is(name, fields[i][0])) continue;
        d->ctx->rows++;
        value = str_trim(value);
        if (empty_answer(value)) return;
        if (!d->host) d->host = ctx_ref(d->ctx, REF_HOST, STR("host"));
        ctx_setting(d->ctx, d->host, fields[i][1], value, "firmware", at);
        const char *virt = hypervisor(name, value);
        if (str_ends(value, ".metal")) d->virt = STR("none");
        else if (virt && !d->virt.len) {
            d->virt = str_of(virt);
            d->virt_at = at;
            d->virt_at.text = arena_str(d->ctx->scratch, at.text);
        }
        return;
    }
    d->ctx->rows++; /* serial numbers, tags, families: not needed */
}

static ParseResult dmi_parse(ParseCtx *ctx, Input *in) {
    Dmi d = {.ctx = ctx};
    Str line, part = STR_NONE;
    size_t id = str_find(ctx->path, "/dmi/id/");
    Str member = id == SIZE_MAX ? STR_NONE : str_from(ctx->path, id + strlen("/dmi/id/"));
    bool text = false;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str name, value, t = str_trim_right(line);
        if (listing_line(t, &name, &value)) {
            field(&d, name, value, at);
            text = true;
        } else if (section(t)) {
            part = arena_str(ctx->scratch, t);
            text = true;
        } else if (dmidecode_title(t)) {
            text = true;
            if (str_starts(t, "Handle ")) part = STR_NONE;
            ctx->rows++;
        } else if (member.len && !text && str_trim(t).len) {
            field(&d, member, t, at);
            member = STR_NONE;
        } else if (part.len && t.len && ch_blank(t.p[0]) && dev_key_value(t, &name, &value)) {
            bool bios = str_starts(part, "BIOS"), system = str_starts(part, "System"), board = str_starts(part, "Base");
            const char *key = NULL;
            if (bios)
                key = str_is(name, "Vendor")         ? "bios_vendor"
                      : str_is(name, "Version")      ? "bios_version"
                      : str_is(name, "Release Date") ? "bios_date"
                                                     : NULL;
            else if (system)
                key = str_is(name, "Manufacturer")   ? "sys_vendor"
                      : str_is(name, "Product Name") ? "product_name"
                      : str_is(name, "Version")      ? "product_version"
                                                     : NULL;
            else if (board)
                key = str_is(name, "Manufacturer")   ? "board_vendor"
                      : str_is(name, "Product Name") ? "board_name"
                                                     : NULL;
            if (key) field(&d, str_of(key), value, at);
            else ctx->rows++;
        } else if (t.len && !ch_blank(t.p[0])) {
            part = STR_NONE; /* another section */
            if (str_has(t, "Permission denied")) facts_note(ctx->facts, ctx->src, at, str_sub(t, 0, 300));
        }
    }
    if (d.virt.len && d.virt_at.line) ctx_setting(ctx, d.host, "virtualization", d.virt, "firmware", d.virt_at);
    return parse_result(ctx);
}

const Parser parser_dmi = {
    .name = "dmi",
    .bid = dmi_bid,
    .starts = dmi_starts,
    .continues = dmi_continues,
    .parse = dmi_parse,
    .ask = "grep -s . /sys/class/dmi/id/*",
};
