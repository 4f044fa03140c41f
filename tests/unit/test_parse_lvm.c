/* lvs, vgs, pvs: columns by their place, other separators, names, JSON; what is missing. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_lvm;

#define LVS                                                                                                            \
    "  LV              VG    Attr       LSize   Pool Origin Data%  Meta% Move Log Cpy%Sync Convert Devices           " \
    "              Health\n"                                                                                           \
    "  [lvol0_pmspare] pve   ewi-------   1.00g                                                    /dev/sda3(0)\n"     \
    "  data            pve   twi-aotzD- 500.00g             100.00 61.22                           data_tdata(0)     " \
    "              out_of_data\n"                                                                                      \
    "  [data_tdata]    pve   Twi-ao---- 500.00g                                                    /dev/sda3(1024)\n"  \
    "  root            pve   -wi-ao---- <93.13g                                                    /dev/sda3(256)\n"   \
    "  vm-100-disk-0   pve   Vwi-aotz--  32.00g data        97.20\n"                                                   \
    "  backup          my-vg swi-a-s---  10.00g      home   41.50                                  /dev/sdb1(0)\n"     \
    "  home            my-vg owi-aos--- 200.00g                                                    /dev/sdb1(2560)\n"  \
    "  lost            my-vg -wi-----p-  20.00g                                                    [unknown](0)      " \
    "              partial\n"                                                                                          \
    "  mir             my-vg rwi-aor-r-   5.00g                                   100.00           "                   \
    "mir_rimage_0(0),mir_rimage_1(0) refresh needed\n"
#define VGS                                                                                                            \
    "  VG    #PV #LV #SN Attr   VSize    VFree\n"                                                                      \
    "  my-vg   2   4   1 wz-pn-    1.81t 120.00g\n"                                                                    \
    "  pve     1  12   0 wz--n- <930.51g      0\n"
#define PVS                                                                                                            \
    "  WARNING: Couldn't find device with uuid 0aBcDe-1111-2222-3333-4444-5555-FgHiJk.\n"                              \
    "  WARNING: VG my-vg is missing PV 0aBcDe-1111-2222-3333-4444-5555-FgHiJk (last written to /dev/sdc1).\n"          \
    "  PV        VG    Fmt  Attr PSize    PFree\n"                                                                     \
    "  /dev/sda3 pve   lvm2 a--  <930.51g      0\n"                                                                    \
    "  /dev/sdb1 my-vg lvm2 a--   931.51g 120.00g\n"                                                                   \
    "  [unknown] my-vg lvm2 a-m   931.51g      0\n"
#define JSON                                                                                                           \
    "  {\n      \"report\": [\n          {\n              \"lv\": [\n                  {\"lv_name\":\"pool\", "        \
    "\"vg_name\":\"vg0\", \"lv_attr\":\"twi-cotz--\", \"lv_size\":\"107374182400B\", \"pool_lv\":\"\", "               \
    "\"origin\":\"\", "                                                                                                \
    "\"data_percent\":\"12.31\", \"metadata_percent\":\"98.02\", \"seg_monitor\":\"not monitored\", "                  \
    "\"discards\":\"nopassdown\", \"lv_when_full\":\"error\"}\n              ]\n          }\n      ]\n  }\n"

#define SHOWN                                                                                                          \
    "  --- Logical volume ---\n  LV Name                data\n  VG Name                pve\n  LV UUID                " \
    "abc\n"                                                                                                            \
    "  LV Write Access        read/write (activated read only)\n  LV Pool metadata       data_tmeta\n  LV Pool data  " \
    "         data_tdata\n"                                                                                            \
    "  LV Status              available\n  # open                 3\n  LV Size                <141.57 GiB\n  "         \
    "Allocated pool data    95.17%\n"                                                                                  \
    "  Allocated metadata     2.34%\n  Current LE             36240\n  Segments               1\n  Allocation        " \
    "     inherit\n"                                                                                                   \
    "  Read ahead sectors     auto\n  - currently set to     256\n  Block device           253:4\n   \n"               \
    "  --- Logical volume ---\n  LV Path                /dev/pve/vm-1\n  LV Name                vm-1\n  VG Name      " \
    "          pve\n  LV Pool name           data\n"                                                                   \
    "  LV Size                32.00 GiB\n  Mapped size            97.20%\n  Block device           253:6\n   \n"       \
    "  --- Logical volume ---\n  LV Path                /dev/pve/snap\n  LV Name                snap\n  VG Name      " \
    "          pve\n"                                                                                                  \
    "  LV snapshot status     active destination for root\n  LV Size                96.00 GiB\n  COW-table size      " \
    "   10.00 GiB\n  Allocated to snapshot  41.50%\n   \n"                                                             \
    "  --- Logical volume ---\n  LV Name                root\n  VG Name                pve\n  LV snapshot status     " \
    "source of\n                         snap [active]\n"                                                              \
    "  --- Volume group ---\n  VG Name               pve\n  Cur PV                2\n  Act PV                1\n  VG " \
    "Size               <1.82 TiB\n  Free  PE / Size       4096 / 16.00 GiB\n   \n"                                    \
    "  --- Physical volume ---\n  PV Name               /dev/sda3\n  VG Name               pve\n  PV Size            " \
    "   <931.01 GiB / not usable 4.00 MiB\n"

static const DeviceCase cases[] = {
    {"lvdisplay", NULL, NULL, SHOWN, ALL_SETTINGS,
     "pve-data-tpool lvm_lv=pve/data kernel 11; pve-data-tpool lvm_type=thin-pool kernel 11; pve-data-tpool "
     "size_bytes=152009630023 kernel 11; pve-data-tpool thin_data_pct=95.17 kernel 11; "
     "pve-data-tpool thin_metadata_pct=2.34 kernel 11; pve-vm--1 lvm_lv=pve/vm-1 kernel 22; pve-vm--1 lvm_type=thin "
     "kernel 22; pve-vm--1 size_bytes=34359738368 kernel 22; pve-vm--1 lvm_pool=pve/data kernel 22; "
     "pve-snap lvm_lv=pve/snap kernel 36; pve-snap lvm_type=snapshot kernel 36; pve-snap size_bytes=103079215104 "
     "kernel 36; pve-snap snapshot_used_pct=41.5 kernel 36; pve-snap lvm_origin=pve/root kernel 36; "
     "pve-root lvm_lv=pve/root kernel 39; pve-root lvm_type=origin kernel 39; host lvm_vg_free=pve 17179869184 kernel "
     "44; host lvm_missing_pv=pve - kernel 44; sda3 lvm_vg=pve kernel 51"},
    {"lvdisplay: dm numbers", NULL, NULL, SHOWN, ALL_SAME, "disk:pve-data-tpool=disk:dm-4; disk:pve-vm--1=disk:dm-6"},
    {"a full thin pool", NULL, NULL, LVS,
     "SELECT group_concat(key||'='||value, ' ') FROM setting s JOIN ref r ON r.id = s.node WHERE r.name = "
     "'pve-data-tpool'",
     "lvm_lv=pve/data lvm_attr=twi-aotzD- lvm_type=thin-pool size_bytes=536870912000 thin_data_pct=100 "
     "thin_metadata_pct=61.22 thin_mode=out_of_data_space lvm_health=out of data space"},
    {"a thin volume", NULL, NULL, LVS,
     "SELECT group_concat(key||'='||value, ' ') FROM setting s JOIN ref r ON r.id = s.node WHERE r.name = "
     "'pve-vm--100--disk--0'",
     "lvm_lv=pve/vm-100-disk-0 lvm_attr=Vwi-aotz-- lvm_type=thin size_bytes=34359738368 lvm_health=ok "
     "lvm_pool=pve/data"},
    {"a snapshot", NULL, NULL, LVS,
     "SELECT group_concat(key||'='||value, ' ') FROM setting s JOIN ref r ON r.id = s.node WHERE r.name = "
     "'my--vg-backup'",
     "lvm_lv=my-vg/backup lvm_attr=swi-a-s--- lvm_type=snapshot size_bytes=10737418240 snapshot_used_pct=41.5 "
     "lvm_health=ok lvm_origin=my-vg/home"},
    {"partial", NULL, NULL, LVS, SETTING_OF("my--vg-lost", "lvm_health"), "partial"},
    {"words with a blank", NULL, NULL, LVS, SETTING_OF("my--vg-mir", "lvm_health"), "refresh needed"},
    {"a rounded size", NULL, NULL, LVS, SETTING_OF("pve-root", "size_bytes"), "99997576069"},
    {"edges", NULL, NULL, LVS, ALL_EDGES,
     "disk:sda3>disk:pve-lvol0_pmspare; disk:pve-data_tdata>disk:pve-data-tpool; disk:sda3>disk:pve-data_tdata; "
     "disk:sda3>disk:pve-root; disk:pve-data-tpool>disk:pve-vm--100--disk--0; "
     "disk:sdb1>disk:my--vg-backup; disk:sdb1>disk:my--vg-home; disk:my--vg-mir_rimage_0>disk:my--vg-mir; "
     "disk:my--vg-mir_rimage_1>disk:my--vg-mir"},
    {"the indent was lost", NULL, NULL, "LV   VG  Attr       LSize  Data%\nroot pve twi-a-tz-- 10.00g  7.50\n",
     SETTING_OF("pve-root-tpool", "thin_data_pct"), "7.5"},
    {"another separator", NULL, NULL,
     "  LV|VG|Attr|LSize|Pool|Origin|Data%|Meta%\n  pool|vg0|twi-aotz--|100.00g|||12,31|4.50\n  "
     "[pool_tmeta]|vg0|ewi-ao----|100.00m||||\n",
     ALL_SETTINGS,
     "vg0-pool-tpool lvm_lv=vg0/pool kernel 2; vg0-pool-tpool lvm_attr=twi-aotz-- kernel 2; vg0-pool-tpool "
     "lvm_type=thin-pool kernel 2; vg0-pool-tpool size_bytes=107374182400 kernel 2; "
     "vg0-pool-tpool thin_data_pct=12.31 kernel 2; vg0-pool-tpool thin_metadata_pct=4.5 kernel 2; vg0-pool-tpool "
     "thin_mode=rw kernel 2; vg0-pool-tpool lvm_health=ok kernel 2; "
     "vg0-pool_tmeta lvm_lv=vg0/pool_tmeta kernel 3; vg0-pool_tmeta lvm_attr=ewi-ao---- kernel 3; vg0-pool_tmeta "
     "lvm_type=metadata kernel 3; vg0-pool_tmeta size_bytes=104857600 kernel 3; vg0-pool_tmeta lvm_health=ok kernel 3"},
    {"names before values", NULL, NULL,
     "  LVM2_LV_NAME='snap' LVM2_VG_NAME='vg0' LVM2_LV_ATTR='Swi-I-s---' LVM2_ORIGIN='root' "
     "LVM2_SNAP_PERCENT='100.00'\n",
     ALL_SETTINGS,
     "vg0-snap lvm_lv=vg0/snap kernel 1; vg0-snap lvm_attr=Swi-I-s--- kernel 1; vg0-snap lvm_type=snapshot-merging "
     "kernel 1; vg0-snap snapshot_used_pct=100 kernel 1; vg0-snap snapshot_used_pct=Invalid kernel 1; "
     "vg0-snap lvm_health=ok kernel 1; vg0-snap lvm_origin=vg0/root kernel 1"},
    {"headings of two words", NULL, NULL,
     "  VG  #PV #LV #SN Attr   VSize   VFree  VG Tags VG UUID\n  vg0   1   3   0 wz--n- 100.00g 10.00g         "
     "abc-def\n",
     ALL_SETTINGS, "host lvm_vg_free=vg0 10737418240 kernel 2"},
    {"groups", NULL, NULL, VGS, ALL_SETTINGS,
     "host lvm_vg_free=my-vg 128849018880 kernel 2; host lvm_missing_pv=my-vg - kernel 2; host lvm_vg_free=pve 0 "
     "kernel 3"},
    {"devices", NULL, NULL, PVS, ALL_SETTINGS,
     "host lvm_missing_pv=- 0aBcDe-1111-2222-3333-4444-5555-FgHiJk kernel 1; host lvm_missing_pv=my-vg "
     "0aBcDe-1111-2222-3333-4444-5555-FgHiJk /dev/sdc1 kernel 2; sda3 lvm_vg=pve kernel 4; sdb1 lvm_vg=my-vg kernel 5; "
     "host lvm_missing_pv=my-vg - kernel 6"},
    {"JSON", NULL, NULL, JSON, "SELECT group_concat(key||'='||value, ' ') FROM setting",
     "lvm_lv=vg0/pool lvm_attr=twi-cotz-- lvm_type=thin-pool size_bytes=107374182400 thin_data_pct=12.31 "
     "thin_metadata_pct=98.02 thin_needs_check=1 lvm_health=ok lvm_monitored=no thin_discard=no_discard_passdown "
     "thin_no_space=error_if_no_space"},
    {"lvmconfig", NULL, "lvmconfig activation/thin_pool_autoextend_threshold", "thin_pool_autoextend_threshold=100\n",
     ALL_SETTINGS, "host lvm_autoextend_pct=100 kernel 1"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_lvm, cases, sizeof cases / sizeof *cases);
    ParseTest *pt = pt_run(&parser_lvm, NULL, "lvs", STR("  LV VG Attr LSize\n"));
    assert_int_equal(pt->result, PARSE_NOTHING);
    pt_free(pt);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_lvm, LVS, true);
    claims_text(&parser_lvm, VGS, true);
    claims_text(&parser_lvm, SHOWN, true);
    claims_no_other(&parser_lvm);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_lvm, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_lvm, "  LV   VG  Attr       LSize\n  root pve -wi-ao---- 10.00g\n  what is this\n", 1,
                 SETTING_OF("pve-root", "size_bytes"), "10737418240");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
