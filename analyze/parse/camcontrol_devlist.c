/*
 * camcontrol_devlist.c - disks, enclosures and where they hang, as FreeBSD's CAM lists them
 *
 * Reads   camcontrol devlist, with -v and -b
 * Gives   model, vendor, firmware, device_type of each device; with -v its channel and what that tells (transport, programming model)
 * Sample  camcontrol devlist -v, FreeBSD 13
 *   |scbus0 on ahcich0 bus 0:
 *   |<Samsung SSD 870 EVO 1TB SVT02B6Q>  at scbus0 target 0 lun 0 (pass0,ada0)
 *   |<>                                 at scbus0 target -1 lun ffffffff ()
 *   |scbus7 on umass-sim0 bus 0:
 *   |<Kingston DT 101 II 1.00>          at scbus7 target 0 lun 0 (pass4,da0)
 * Varies  names stand in either order; a device without a driver has pass alone. The firmware is the last word between the angle brackets;
 *         before a SCSI model stands its vendor ("ATA" is the translation's). Numbers of scbus are per boot.
 */
#include "cam_target.h"
#include "parser.h"

enum { BUSES = 256 };

typedef struct Bus {
    uint64_t number;
    char sim[24];
} Bus;

typedef struct Devlist {
    ParseCtx *ctx;
    Bus bus[BUSES];
    size_t buses;
} Devlist;

/* "<...> at scbus0 target 0 lun 0 (pass0,ada0)" */
static bool row(Str line, Str *id, uint64_t *bus, Str *target, Str *lun, Str *names) {
    line = str_trim(line);
    if (!line.len || line.p[0] != '<') return false;
    size_t end = str_find(line, ">");
    for (size_t next = end; next != SIZE_MAX;) { /* a model may hold '>' */
        Str rest = str_trim_left(str_from(line, next + 1));
        if (str_starts(rest, "at scbus")) {
            end = next;
            break;
        }
        size_t more = str_find_ch(str_from(line, next + 1), '>');
        next = more == SIZE_MAX ? SIZE_MAX : next + 1 + more;
    }
    if (end == SIZE_MAX) return false;
    *id = str_trim(str_sub(line, 1, end - 1));
    Str rest = str_after(str_trim_left(str_from(line, end + 1)), "at scbus");
    if (rest.p && str_starts(rest, "-1 ")) rest = str_from(rest, 1); /* the transport layer itself: scbus-1, xpt0 */
    if (!rest.p || !str_u64(str_word(&rest), bus) || !str_is(str_word(&rest), "target")) return false;
    *target = str_word(&rest);
    if (!str_is(str_word(&rest), "lun") || !(*lun = str_word(&rest)).len) return false;
    rest = str_trim(rest);
    if (rest.len < 2 || rest.p[0] != '(' || rest.p[rest.len - 1] != ')') return false;
    *names = str_sub(rest, 1, rest.len - 2);
    return true;
}

/* "scbus0 on ahcich0 bus 0:" */
static bool bus_line(Str line, uint64_t *number, Str *sim) {
    Str rest = str_after(str_trim(line), "scbus");
    if (rest.p && str_starts(rest, "-1 on xpt")) rest = str_from(rest, 1);
    if (!rest.p || !str_u64(str_word(&rest), number) || !str_is(str_word(&rest), "on")) return false;
    *sim = str_word(&rest);
    return sim->len && str_is(str_word(&rest), "bus") && str_ends(rest, ":");
}

static bool starts(Str line) {
    Str id, target, lun, names, sim;
    uint64_t bus;
    return row(line, &id, &bus, &target, &lun, &names) || bus_line(line, &bus, &sim);
}

static bool continues(Str line) {
    return !str_trim(line).len || starts(line);
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = head_line(&head);
        if (str_trim(line).len) return starts(line) ? command_is(command, "camcontrol") ? 38 : 30 : 0;
    }
    return 0;
}

static void put(Devlist *d, Ref ref, const char *key, Str value, Spot at) {
    if (value.len) ctx_setting(d->ctx, ref, key, value, "kernel", at);
}

/* What the channel's driver says: ata(4) uses the registers of the IDE interface, ahci(4) its own. */
static void channel(Devlist *d, Ref ref, bool disk, uint64_t bus, Str target, Str lun, Spot at) {
    Str sim = STR_NONE;
    for (size_t i = 0; i < d->buses; i++)
        if (d->bus[i].number == bus) sim = str_of(d->bus[i].sim);
    if (!sim.len) return;
    if (str_starts(sim, "umass-sim")) {
        put(d, ref, "transport", STR("usb"), at);
        put(d, ref, "usb_driver", STR("umass"), at);
    } else if (str_starts(sim, "nvme")) put(d, ref, "transport", STR("nvme"), at);
    else if (str_starts(sim, "vt")) put(d, ref, "transport", STR("virtio"), at);
    else if (str_starts(sim, "ahcich")) put(d, ref, "sata_mode_seen", STR("ahci"), at);
    else if (str_starts(sim, "ata") && sim.len > 3 && ch_digit(sim.p[3])) {
        put(d, ref, "sata_mode_seen", STR("ide"), at);
        put(d, ref, "ata_port", sim, at);
        put(d, ref, "ata_dev", str_is(target, "0") ? STR("00") : str_is(target, "1") ? STR("01") : STR_NONE, at);
    } else if (str_starts(sim, "mps") || str_starts(sim, "mpr") || str_starts(sim, "mpi3mr")) {
        facts_edge(d->ctx->facts, d->ctx->src, ctx_ref(d->ctx, REF_SCSI_HOST, sim), ref, at);
        if (disk) fbsd_sas_target(d->ctx, ref, sim, target, lun, at);
    }
}

static void device(Devlist *d, Str id, uint64_t bus, Str target, Str lun, Str names, Spot at) {
    Str name = STR_NONE;
    while (names.len) {
        Str one = str_cut(&names, ',');
        if (one.len && !str_starts(one, "pass")) name = one;
    }
    if (!name.len || !id.len) return; /* no driver took it: nothing to call it by */
    Ref ref = ctx_ref(d->ctx, REF_DISK, name);
    bool ses = str_starts(name, "ses"), cd = str_starts(name, "cd"), ata = str_starts(name, "ada");
    put(d, ref, "device_type", ses ? STR("enclosure") : cd ? STR("cdrom") : STR("disk"), at);
    channel(d, ref, str_starts(name, "da"), bus, target, lun, at);
    size_t blank = str_rfind_ch(id, ' ');
    if (blank != SIZE_MAX) {
        put(d, ref, "firmware", str_from(id, blank + 1), at);
        id = str_trim(str_sub(id, 0, blank));
    }
    size_t first = str_find_ch(id, ' ');
    if (!ata && !cd && !ses && !str_starts(name, "nda") && first != SIZE_MAX) {
        Str vendor = str_sub(id, 0, first);
        put(d, ref, "vendor", vendor, at);
        if (str_is(vendor, "ATA")) put(d, ref, "transport", STR("sata"), at);
        id = str_trim(str_from(id, first));
    }
    put(d, ref, "model", id, at);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Devlist *d = arena_new_of(ctx->scratch, Devlist);
    d->ctx = ctx;
    Str line, id, target, lun, names, sim;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        uint64_t bus;
        if (!str_trim(line).len) continue;
        if (bus_line(line, &bus, &sim)) {
            ctx->rows++;
            if (d->buses == BUSES || sim.len >= sizeof d->bus[0].sim) continue;
            d->bus[d->buses] = (Bus){.number = bus};
            memcpy(d->bus[d->buses++].sim, sim.p, sim.len);
        } else if (row(line, &id, &bus, &target, &lun, &names)) {
            ctx->rows++;
            device(d, id, bus, target, lun, names, at);
        } else {
            parse_note(ctx, at, "not a line of camcontrol devlist: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
        }
    }
    return parse_result(ctx);
}

const Parser parser_camcontrol_devlist = {.name = "camcontrol",
                                          .bid = bid,
                                          .starts = starts,
                                          .continues = continues,
                                          .parse = parse,
                                          .ask = "camcontrol devlist -v"};
