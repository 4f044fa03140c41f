/* Host: system, kernel, memory, time, virtualization. */
#include "device_test.h"

extern const Parser parser_host_info;

static const DeviceCase cases[] = {
    {"uname", NULL, NULL,
     "Linux mserver 6.12.41+deb13-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.12.41-1 (2025-08-12) x86_64 GNU/Linux\n",
     ALL_SETTINGS, "host hostname=mserver kernel 1; host kernel_release=6.12.41+deb13-amd64 kernel 1"},
    {"uname of FreeBSD", NULL, NULL,
     "FreeBSD nas.example.org 13.2-RELEASE FreeBSD 13.2-RELEASE releng/13.2-n254617 GENERIC amd64\n",
     "SELECT os||'|'||kernel||'|'||host FROM bundle", "FreeBSD 13.2-RELEASE|FreeBSD 13.2-RELEASE|nas.example.org"},
    {"os-release with debian_version", "os.out", NULL,
     "PRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\nNAME=\"Debian GNU/Linux\"\nID=debian\n13.0\n", ALL_SETTINGS,
     "host os_name=Debian GNU/Linux 13 (trixie) kernel 1"},
    {"uptime", NULL, NULL, " 12:00:01 up 10 days,  2:03,  1 user,  load average: 5.52, 4.41, 0.30\n", ALL_SETTINGS,
     "host uptime_s=871380 kernel 1; host load_1min=5.52 kernel 1"},
    {"uptime tells the capture, too", NULL, NULL, " 20:14:51 up  9:30,  1 user,  load average: 0.10, 0.12, 0.30\n",
     "SELECT uptime_s FROM capture", "34200.0"},
    {"/proc/uptime and boot id", NULL, NULL, "13806.37 44732.64\n5a1f0c3e-77b2-4d19-9a4e-0be2c61d8f47\n",
     "SELECT uptime_s||' '||boot_id FROM capture", "13806.37 5a1f0c3e-77b2-4d19-9a4e-0be2c61d8f47"},
    {"date of the collector", NULL, NULL, "1757761330 2025-09-13T13:02:10+0200\n", "SELECT start_s FROM capture",
     "1757761330.0"},
    {"cmdline", NULL, NULL, "BOOT_IMAGE=/boot/vmlinuz-6.1 root=UUID=1 ro quiet libata.force=noncq\n",
     SETTING_OF("host", "cmdline"), "BOOT_IMAGE=/boot/vmlinuz-6.1 root=UUID=1 ro quiet libata.force=noncq"},
    {"meminfo", NULL, NULL,
     "MemTotal:       32809944 kB\nMemFree:         1213412 kB\nMemAvailable:   10936324 kB\nHugePages_Total:       "
     "0\n",
     ALL_SETTINGS, "host memory_bytes=33597382656 kernel 1; host memory_available_bytes=11198795776 kernel 3"},
    {"cpuinfo", NULL, NULL,
     "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Example CPU\nflags\t\t: fpu vme\n\nprocessor\t: "
     "1\nvendor_id\t: GenuineIntel\n",
     SETTING_OF("host", "cpus"), "2"},
    {"free", NULL, NULL,
     "               total        used        free      shared  buff/cache   available\nMem:        32809944     "
     "8123456     1213412      123456    23473076    10936324\nSwap:        1000444           0     1000444\n",
     SETTING_OF("host", "memory_available_bytes"), "11198795776"},
    {"free -m, as the file's name says", "stat/free-m.txt", NULL,
     "               total        used        free      shared  buff/cache   available\nMem:           31784        "
     "7000  "
     "       1213         123       23473       10936\n",
     SETTING_OF("host", "memory_bytes"), "33327939584"},
    {"detect-virt", "virt.out", NULL, "kvm\nnone\n", ALL_SETTINGS, "host virtualization=kvm kernel 1"},
    {"meminfo: data that are not written yet", "proc/meminfo", NULL,
     "MemTotal:       32617116 kB\nDirty:            118240 kB\nWriteback:          2048 kB\nWritebackTmp:          0 "
     "kB\n",
     ALL_SETTINGS,
     "host memory_bytes=33399926784 kernel 1; host memory_dirty_bytes=121077760 kernel 2; host "
     "memory_writeback_bytes=2097152 kernel 3"},
    {"zfs version", NULL, NULL, "zfs-2.2.3-1ubuntu6\nzfs-kmod-2.2.2-0ubuntu9\n", SETTING_OF("host", "zfs_version"),
     "2.2.2-0ubuntu9"},
    {"hostname", "etc/hostname", NULL, "mserver\n", ALL_SETTINGS, "host hostname=mserver kernel 1"},
    {"hostid", NULL, "hostid", "0a1b2c3d\n", ALL_SETTINGS, "host hostid=0a1b2c3d kernel 1"},
    {"hostnamectl", NULL, NULL,
     "   Static hostname: mserver\n         Icon name: computer-server\n    Virtualization: vmware\n  Operating "
     "System: Example Linux 9\n",
     ALL_SETTINGS,
     "host hostname=mserver kernel 1; host virtualization=vmware kernel 3; host os_name=Example Linux 9 kernel 4"},
};

enum { CASES = sizeof cases / sizeof *cases };

static void values(void **state) {
    (void)state;
    device_values(&parser_host_info, cases, CASES);
}
static void bids(void **state) {
    (void)state;
    device_bids(&parser_host_info);
}
static void framing(void **state) {
    (void)state;
    device_framing(&parser_host_info);
}
static void damage(void **state) {
    (void)state;
    device_damage(&parser_host_info, cases, CASES);
}

static void notes(void **state) {
    (void)state;

    device_notes(&parser_host_info, "Linux mserver 6.1.0 #1 SMP Debian x86_64 GNU/Linux\n%%%%\n", 1,
                 SETTING_OF("host", "hostname"), "mserver");
    ParseTest *pt = pt_run(&parser_host_info, "x", NULL, STR("My disk is slow.\n"));
    assert_int_equal(pt->result, PARSE_REJECTED);
    pt_free(pt);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(bids), cmocka_unit_test(framing),
                                       cmocka_unit_test(damage), cmocka_unit_test(notes)};
    return cmocka_run_group_tests_name("host-info", tests, NULL, NULL);
}
