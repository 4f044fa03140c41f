/* GEOM in its four forms: the same facts of the same disk, names of labels and partitions, damage. */
#include "parse_test.h"

extern const Parser parser_geom_list, parser_geom_conf, parser_gpart;

#define DISKS                                                                                                          \
    "Geom name: ada0\nProviders:\n1. Name: ada0\n   Mediasize: 1000204886016 (932G)\n   Sectorsize: 512\n"             \
    "   Stripesize: 4096\n   Stripeoffset: 0\n   Mode: r1w1e2\n   descr: Example SSD 1TB\n"                            \
    "   lunid: 5000c50000000001\n   ident: EX000000000001\n   rotationrate: 0\n   fwsectors: 63\n   fwheads: 16\n\n"   \
    "Geom name: da8\nProviders:\n1. Name: da8\n   Mediasize: 8019509248 (7.5G)\n   Sectorsize: 512\n"                  \
    "   descr: Kingston DT 101 II\n   ident: (null)\n   rotationrate: unknown\n\n"                                     \
    "Geom name: cd0\nProviders:\n1. Name: cd0\n   Mediasize: 0 (0B)\n   Sectorsize: 2048\n   descr: FOO DVD\n"         \
    "   ident: (null)\n   rotationrate: unknown\n"

#define PARTS                                                                                                          \
    "Geom name: ada0\nmodified: false\nstate: OK\nscheme: GPT\nProviders:\n1. Name: ada0p1\n"                          \
    "   Mediasize: 1000203747328 (932G)\n   rawuuid: 86c2d9b8-4d11-11e9-a0a1-d05099c3b7c1\n   label: tank 0\n   "      \
    "offset: 1048576\n"                                                                                                \
    "   type: freebsd-zfs\n2. Name: ada0p2\n   label: (null)\nConsumers:\n1. Name: ada0\n   Mode: r1w1e2\n"

#define MESH                                                                                                           \
    "<mesh>\n<class id=\"0x1\"><name>DISK</name><geom id=\"0x2\"><class ref=\"0x1\"/><name>ada0</name>"                \
    "<provider id=\"0x3\"><name>ada0</name><mediasize>1000204886016</mediasize><sectorsize>512</sectorsize>"           \
    "<stripesize>4096</stripesize><config><rotationrate>0</rotationrate><ident>EX000000000001</ident>"                 \
    "<lunid>5000c50000000001</lunid><descr>Example SSD 1TB</descr></config></provider></geom></class>\n"               \
    "<class id=\"0x4\"><name>PART</name><geom id=\"0x5\"><name>ada0</name><config><scheme>GPT</scheme></config>"       \
    "<provider id=\"0x6\"><name>ada0p1</name><config><label>tank0</label><offset>1048576</offset>"                     \
    "<rawuuid>86c2d9b8-4d11-11e9-a0a1-d05099c3b7c1</rawuuid></config></provider></geom></class>\n"                     \
    "<class id=\"0x7\"><name>LABEL</name><geom id=\"0x8\"><name>ada0p1</name>"                                         \
    "<provider id=\"0x9\"><name>gpt/tank0</name></provider></geom></class>\n</mesh>\n"

static const char *settings(ParseTest *pt, const char *disk) {
    return pt_text(
        pt, arena_fmt(pt->arena,
                      "SELECT group_concat(key || '=' || value, ' ') FROM (SELECT s.key, s.value FROM setting s JOIN "
                      "ref r ON r.id = s.node WHERE r.name = '%s' ORDER BY s.key)",
                      disk));
}

static const char *names(ParseTest *pt) {
    return pt_text(
        pt, "SELECT group_concat(n, ', ') FROM (SELECT DISTINCT a.name || ' is ' || b.name AS n FROM same_as s JOIN "
            "ref a ON a.id = s.a JOIN ref b ON b.id = s.b ORDER BY 1)");
}

#define ADA0                                                                                                           \
    "device_type=disk logical_block_bytes=512 model=Example SSD 1TB physical_block_bytes=4096 rotation_rpm=0 "         \
    "rotational=0 serial=EX000000000001 size_bytes=1000204886016 wwn=5000c50000000001"

static void disks(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_geom_list, NULL, "geom disk list", STR(DISKS));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(settings(pt, "ada0"), ADA0);
    assert_string_equal(
        settings(pt, "da8"),
        "device_type=disk logical_block_bytes=512 model=DT 101 II size_bytes=8019509248 vendor=Kingston");
    assert_string_equal(settings(pt, "cd0"), "device_type=cdrom");
    assert_string_equal(pt_text(pt, "SELECT line FROM setting WHERE key = 'serial'"), "11");
    pt_free(pt);
    /* the EUI of an NVMe namespace is no WWN */
    pt = pt_run(&parser_geom_list, NULL, NULL,
                STR("Geom name: nvd0\nProviders:\n1. Name: nvd0\n   descr: Example NVMe\n   lunid: 6479a70000000001\n  "
                    " ident: EX1\n"));
    assert_string_equal(settings(pt, "nvd0"),
                        "device_type=disk eui=6479a70000000001 model=Example NVMe serial=EX1 transport=nvme");
    pt_free(pt);
}

static void parts(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_geom_list, NULL, "gpart list", STR(PARTS));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(names(pt), "gpt/tank%200 is ada0p1, gptid/86c2d9b8-4d11-11e9-a0a1-d05099c3b7c1 is ada0p1");
    assert_string_equal(settings(pt, "ada0p1"), "start_bytes=1048576");
    pt_free(pt);
    pt = pt_run(&parser_geom_list, NULL, "glabel list",
                STR("Geom name: ada0p1\nProviders:\n1. Name: gpt/tank0\n   Mediasize: 5 (5B)\nConsumers:\n1. Name: "
                    "ada0p1\n   Mediasize: 5 (5B)\n"));
    assert_string_equal(names(pt), "gpt/tank0 is ada0p1");
    pt_free(pt);
}

static void conf(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_geom_conf, NULL, "sysctl -b kern.geom.confxml", STR(MESH));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(settings(pt, "ada0"), ADA0);
    assert_string_equal(names(pt), "gpt/tank0 is ada0p1, gptid/86c2d9b8-4d11-11e9-a0a1-d05099c3b7c1 is ada0p1");
    assert_string_equal(settings(pt, "ada0p1"), "start_bytes=1048576");
    assert_string_equal(pt_text(pt, "SELECT t.path FROM setting s JOIN line_text t ON t.src = s.src AND t.line = "
                                    "s.line WHERE s.key = 'serial'"),
                        "/mesh/class[1]/geom[1]/provider[1]/config/ident");
    pt_free(pt);
    pt = pt_run(&parser_geom_conf, NULL, "sysctl kern.geom.conftxt",
                STR("kern.geom.conftxt: 0 DISK ada0 1000204886016 512 hd 16 sc 63\n"
                    "1 PART ada0p1 1000203747328 512 i 1 o 1048576 ty freebsd-zfs xs GPT xt 516e7cba\n"
                    "2 LABEL gpt/tank0 1000203747328 512 i 0 o 0\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(settings(pt, "ada0"), "device_type=disk logical_block_bytes=512 size_bytes=1000204886016");
    assert_string_equal(names(pt), "gpt/tank0 is ada0p1");
    pt_free(pt);
}

static void show(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_gpart, NULL, "gpart show -lp",
                           STR("=>        40  1953525088    ada0  GPT  (932G)\n"
                               "          40        2008          - free -  (1.0M)\n"
                               "        2048  1953521072  ada0p1  S_EX000000000001  (932G)\n"
                               "           0        2000  ada0p2  (null)  (1M)\n"
                               "        2048        2048  ada0p3  efi  [bootme]  (1.0M)\n\n"
                               "=>      63  15663041    da8  MBR  (7.5G)\n"
                               "        64  15663040  da8s1  (null)  [active]  (7.5G)\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_int_equal(pt->ctx.rows, 7);
    assert_string_equal(names(pt),
                        "gpt/S_EX000000000001 is ada0p1, gpt/efi is ada0p3"); /* -l: a label may be called so */
    pt_free(pt);
    pt = pt_run(&parser_gpart, NULL, NULL,
                STR("=>      40  167772087  nda0  GPT  (80G) [CORRUPT]\n"
                    "        40     532480     1  efi  (260M)\n"
                    "    534528  163043295     4  my tank  (78G)\n"));
    assert_string_equal(names(pt), "gpt/my%20tank is nda0p4");
    pt_free(pt);
}

static void damage(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_geom_conf, NULL, NULL,
                           STR("<mesh>\n<class id=\"0x1\"><name>DISK</name><geom id=\"0x2\"><name>ada0</name>"
                               "<provider id=\"0x3\"><name>ada0</name><mediasize>x1</mediasize>"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_string_equal(settings(pt, "ada0"), "device_type=disk");
    pt_free(pt);
    pt = pt_run(&parser_geom_list, NULL, NULL,
                STR("Geom name: ada0\nProviders:\n1. Name: ada0\n   Mediasize: much\n   descr: A\ngarbage\n1. Na"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 3);
    pt_free(pt);
    pt = pt_run(&parser_gpart, NULL, "gpart show",
                STR("=>        40  1953525088    ada0  GPT  (932G)\n          40        2008    x\n"));
    assert_int_equal(pt->ctx.bad_rows, 1);
    pt_free(pt);
    assert_int_equal(parser_geom_conf.bid(STR(""), STR(""), STR("<html><mesh>")), 0);
    assert_int_equal(parser_gpart.bid(STR(""), STR("gpart show"), STR("=> what do you think?\n")), 0);
    assert_int_equal(parser_geom_list.bid(STR(""), STR("geom disk list"), STR("")), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(disks), cmocka_unit_test(parts), cmocka_unit_test(conf),
                                       cmocka_unit_test(show), cmocka_unit_test(damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
