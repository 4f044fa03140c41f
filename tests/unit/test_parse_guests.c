/* Configurations of guests: Proxmox, libvirt, images. */
#include "parse_test.h"

#include <string.h>

extern const Parser parser_guest_config, parser_libvirt, parser_qemu_img;

#define QM                                                                                                             \
    "#The mail server\n"                                                                                               \
    "agent: 1\n"                                                                                                       \
    "boot: order=scsi0;ide2\n"                                                                                         \
    "efidisk0: local-lvm:vm-104-disk-2,efitype=4m,size=4M\n"                                                           \
    "ide2: local:iso/debian-12.iso,media=cdrom,size=629M\n"                                                            \
    "lock: backup\n"                                                                                                   \
    "name: mail\n"                                                                                                     \
    "sata1: /dev/disk/by-id/ata-EXAMPLE_SSD_S1,size=976762584K\n"                                                      \
    "scsi0: local-lvm:vm-104-disk-0,cache=unsafe,discard=on,iops_rd_max=2000,iothread=1,mbps_wr=50,size=32G\n"         \
    "scsi1: nfs:104/vm-104-disk-0.qcow2,mbps_wr_max_length=5,size=1T\n"                                                \
    "virtio3: local-zfs:vm-104-disk-4,iops=500,size=8G\n"
#define DISKS                                                                                                          \
    "SELECT group_concat(slot||' '||coalesce(interface,'-')||' '||coalesce(controller,'-')||' "                        \
    "'||coalesce(cache,'-')||' '||"                                                                                    \
    "coalesce(discard,'-')||' '||coalesce(iothread,'-')||' '||coalesce(limits,'-')||' '||coalesce(format,'-'), '; ') " \
    "FROM "                                                                                                            \
    "(SELECT * FROM guest_disk ORDER BY slot)"

static void qm(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(&parser_guest_config, NULL, "qm config 104", STR(QM "scsihw: virtio-scsi-pci\nvmgenid: 1\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(
        pt_text(pt, "SELECT kind||'/'||name||'/'||lock||'/'||coalesce(snapshots,'-')||'/'||line FROM guest"),
        "vm/VM 104 (mail)/backup/-/6");
    assert_string_equal(pt_text(pt, DISKS),
                        "sata1 sata - - 0 0 - -; scsi0 scsi virtio-scsi-pci unsafe 1 1 mbps_wr=50 -; "
                        "scsi1 scsi virtio-scsi-pci - 0 0 - qcow2; virtio3 virtio - - 0 0 iops=500 -");
    assert_string_equal(pt_text(pt, "SELECT guest||' '||size_bytes||' '||line FROM guest_disk WHERE slot='scsi1'"),
                        "VM 104 (mail) 1099511627776.0 10");
    pt_free(pt);
    /* the file, with a snapshot: what the guest was then is not what it is */
    pt = pt_run(
        &parser_guest_config, "etc/pve/qemu-server/105.conf", NULL,
        STR("parent: before\nscsi0: local:105/vm-105-disk-0.qcow2,size=8G\n\n[before]\nscsi0: "
            "local:105/vm-105-disk-0.qcow2,cache=unsafe,size=8G\nsnaptime: 1700000000\n\n[PENDING]\ncores: 2\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, "SELECT name||' '||snapshots FROM guest"), "VM 105 1");
    assert_string_equal(pt_text(pt, DISKS), "scsi0 scsi lsi - 0 0 - qcow2");
    pt_free(pt);
}

static void pct(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_guest_config, NULL, NULL,
                           STR("arch: amd64\nhostname: proxy\nmp0: tank:subvol-210-disk-1,mp=/srv,size=100G\n"
                               "rootfs: local-lvm:vm-210-disk-0,size=8G\nunprivileged: 1\n"
                               "lxc.cgroup2.io.max: 8:16 wbps=1048576 riops=max\nlxc.apparmor.profile: unconfined\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, "SELECT kind||' '||name FROM guest"), "container container proxy");
    assert_string_equal(pt_text(pt, DISKS), "mp0 - - - - - - -; rootfs - - - - - - -");
    assert_string_equal(pt_text(pt, "SELECT cgroup||' '||device||' '||name||' '||value||' '||line FROM cgroup_io"),
                        "container proxy 8:16 wbps 1048576.0 6");
    pt_free(pt);
}

static void damage(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(&parser_guest_config, NULL, "qm config 104",
               STR("scsi0: local-lvm:vm-104-disk-0,size=lots\nthis is no key\nlxc.cgroup2.io.max: sda wbps=1\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 3);
    pt_free(pt);
    assert_int_equal(parser_guest_config.bid(STR_NONE, STR_NONE, STR("")), 0);
    assert_int_equal(
        parser_guest_config.bid(STR_NONE, STR_NONE, STR("name: something\ndescription: prose\nmemory: is short\n")), 0);
    assert_false(parser_guest_config.starts(STR("ide0: BM-DMA at 0xf000-0xf007")));
    assert_false(parser_guest_config.starts(STR("memory: I think it is short")));
    assert_false(parser_guest_config.starts(STR("scsi0: Adaptec adapter, size=unknown")));
}

#define XML                                                                                                            \
    "<!--\nWARNING: THIS IS AN AUTO-GENERATED FILE.\n-->\n<domain type='kvm' id='3'>\n<name>mail</name>\n<devices>\n"  \
    "<disk type='file' device='disk'><driver name='qemu' type='qcow2' cache='writethrough' discard='unmap'/>"          \
    "<source file='/img/mail.s2' index='3'/><backingStore type='file'><format type='qcow2'/><source "                  \
    "file='/img/mail.s1'/><backingStore type='file'><format type='raw'/><source "                                      \
    "file='/img/mail'/><backingStore/></backingStore></backingStore><target dev='vda' bus='virtio'/>"                  \
    "<iotune><total_iops_sec>500</total_iops_sec><total_iops_sec_max>900</total_iops_sec_max></iotune></disk>\n"       \
    "<disk type='block' device='disk'><driver name='qemu' type='raw' cache='default'/><source dev='/dev/vg/x'/>"       \
    "<target dev='sda' bus='scsi'/><address type='drive' controller='0' bus='0'/></disk>\n"                            \
    "<disk type='file' device='cdrom'><target dev='hda' bus='ide'/></disk>\n"                                          \
    "<controller type='scsi' index='0' model='virtio-scsi'><driver iothread='1'/></controller>\n"

static void libvirt(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_libvirt, NULL, "virsh dumpxml mail", STR(XML "</devices>\n</domain>\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, DISKS),
                        "sda scsi virtio-scsi - 0 1 - raw; vda virtio - writethrough 1 0 total_iops_sec=500 qcow2");
    assert_string_equal(
        pt_text(pt, "SELECT group_concat(guest||' '||source||' '||coalesce(layers,'?'), '; ') FROM guest_disk"),
        "VM mail /img/mail.s2 3; VM mail /dev/vg/x ?");
    pt_free(pt);
    pt = pt_run(&parser_libvirt, NULL, NULL, STR(XML)); /* cut off */
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_string_equal(pt_text(pt, "SELECT count(*) FROM guest_disk"), "2");
    pt_free(pt);
    pt = pt_run(&parser_libvirt, NULL, NULL, STR("<network><name>x</name></network>\n"));
    assert_string_equal(pt_text(pt, "SELECT count(*) FROM guest"), "0");
    pt_free(pt);
}

#define BLOCK(name, more)                                                                                              \
    "image: " name "\nfile format: qcow2\nvirtual size: 32 GiB (34359738368 bytes)\ndisk size: 1 GiB\n" more
#define IMAGES                                                                                                         \
    "SELECT group_concat(image||' '||coalesce(format,'?')||' '||layers||' '||complete||' '||snapshots||' '||line, '; " \
    "') FROM guest_image"

static void images(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(
            &parser_qemu_img, NULL, NULL,
            STR(BLOCK("a.s2", "backing file: a.s1\nbacking file format: qcow2\n") "\n" BLOCK("a.s1", "backing file: "
                                                                                                     "a\n") "\n" BLOCK(
                "a",
                "Snapshot list:\nID        TAG               VM SIZE                DATE     VM CLOCK     ICOUNT\n"
                "1         old                   0 B 2024-03-01 10:00:00 00:00:00.000          0\n"
                "Format specific information:\n    compat: 1.1\nChild node '/file':\n    filename: a\n    protocol "
                "type: file\n    file "
                "length: 1 GiB (1 bytes)\n    disk size: 1 GiB\n") "\n" BLOCK("b.qcow2",
                                                                              "Snapshot list:\nID  TAG  VM SIZE  DATE  "
                                                                              "VM CLOCK\n1 "
                                                                              "x 0 B 2024-03-01 10:00:00 00:00:00.000 "
                                                                              "0\n2 y 0 B "
                                                                              "2024-03-02 10:00:00 00:00:00.000 0\n")
                    BLOCK("c", "backing file: gone\n")));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, IMAGES), "a.s2 qcow2 3 1 0 1; b.qcow2 qcow2 1 1 2 29; c qcow2 1 0 0 37");
    pt_free(pt);
    pt = pt_run(
        &parser_qemu_img, NULL, "qemu-img info --output=json --backing-chain x",
        STR("[\n {\"virtual-size\": 1, \"filename\": \"x\", \"format\": \"qcow2\", \"backing-filename\": \"y\"},\n"
            " {\"virtual-size\": 1, \"filename\": \"y\", \"format\": \"raw\"}\n]\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, "SELECT image||' '||format||' '||layers||' '||complete FROM guest_image"),
                        "x qcow2 2 1");
    pt_free(pt);
    pt = pt_run(&parser_qemu_img, NULL, NULL, STR(BLOCK("a", "") "garbage\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 1);
    pt_free(pt);
    pt = pt_run(&parser_qemu_img, NULL, NULL, STR("{\"virtual-size\": 1, \"filename\": "));
    assert_int_equal(pt->result, PARSE_REJECTED);
    pt_free(pt);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(qm), cmocka_unit_test(pct), cmocka_unit_test(damage),
                                       cmocka_unit_test(libvirt), cmocka_unit_test(images)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
