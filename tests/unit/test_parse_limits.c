/* What holds I/O back: limits of volumes and control groups, tasks that wait, backups, slow CPUs. */
#include "parse_test.h"

#include <string.h>

extern const Parser parser_ebs_stats, parser_cgroup, parser_ps, parser_top, parser_vzdump, parser_cpupower,
    parser_sysfs;

#define EBS(volume, instance)                                                                                          \
    "Total Ops\n  Read: 9\n  Write: 8\nEBS Volume Performance Exceeded (us)\n  IOPS: " volume                          \
    "\n  Throughput: 0\nEC2 Instance EBS Performance Exceeded (us)\n  IOPS: 0\n  Throughput: " instance                \
    "\nQueue Length (point in time): 3\n\nRead IO Latency Histogram (us)\nNumber of bins: 1\n=====\nLower       "      \
    "Upper        "                                                                                                    \
    "IO Count\n=====\n[0        - 1       ] => 12\n"

static void ebs(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(&parser_ebs_stats, NULL, "ebsnvme stats /dev/nvme1n1 --interval 5", STR(EBS("10", "5") EBS("70", "5")));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, "SELECT group_concat(c.value||' '||c.line||' '||r.name, ', ') FROM counter c JOIN "
                                    "ref r ON r.id = c.node WHERE "
                                    "c.name = 'ebs_volume_performance_exceeded_iops'"),
                        "10.0 5 nvme1n1, 70.0 22 nvme1n1");
    assert_string_equal(pt_text(pt, "SELECT count(DISTINCT name)||' '||max(unit) FROM counter"), "7 us");
    pt_free(pt);
    pt = pt_run(&parser_ebs_stats, NULL, "nvme amzn stats /dev/nvme2n1 -o json",
                STR("{\n  \"total_read_ops\": 1,\n  \"ebs_volume_performance_exceeded_iops\": 12345678901234567,\n  "
                    "\"ec2_instance_ebs_performance_exceeded_tp\": 7,\n  \"read_io_latency_histogram\": "
                    "{\"num_of_bins\": 0}\n}\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(
        pt_text(pt, "SELECT group_concat(name||'='||raw, ' ') FROM (SELECT * FROM counter ORDER BY name)"),
        "ebs_volume_performance_exceeded_iops=12345678901234567 ec2_instance_ebs_performance_exceeded_tp=7 "
        "total_read_ops=1");
    pt_free(pt);
    pt = pt_run(&parser_ebs_stats, NULL, NULL, STR("EBS Volume Performance Exceeded (us):\n  IOPS: many\ngarbage\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 2);
    pt_free(pt);
    pt = pt_run(&parser_ebs_stats, NULL, NULL, STR("{\"ebs_volume_performance_exceeded_iops\": "));
    assert_int_equal(pt->result, PARSE_REJECTED);
    pt_free(pt);
}

#define GROUPS                                                                                                         \
    "SELECT group_concat(coalesce(cgroup,'?')||' '||coalesce(device,'-')||' '||file||' '||name||' '||value||' "        \
    "'||line, '; ') "                                                                                                  \
    "FROM (SELECT * FROM cgroup_io ORDER BY line, name)"

static const struct {
    const char *path, *command, *text, *want;
} groups[] = {
    {NULL, "grep -r . /sys/fs/cgroup",
     "/sys/fs/cgroup/system.slice/a.service/io.max:8:16 rbps=max wbps=10485760 riops=120 wiops=max\n"
     "/sys/fs/cgroup/system.slice/a.service/io.pressure:some avg10=71.30 avg60=68.02 avg300=61.77 total=4\n"
     "/sys/fs/cgroup/system.slice/a.service/io.pressure:full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
     "/sys/fs/cgroup/user.slice/io.latency:8:0 target=75000\n"
     "/sys/fs/cgroup/user.slice/io.weight:default 100\n"
     "/sys/fs/cgroup/user.slice/cpu.max:max 100000\n"
     "/sys/fs/cgroup/io.cost.qos:259:0 enable=1 ctrl=user rpct=95.00 rlat=75000 wpct=95.00 wlat=150000 min=50.00 "
     "max=150.00\n"
     "/sys/fs/cgroup/a/io.stat:8:16 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=0 dios=0\n",
     "system.slice/a.service 8:16 io.max riops 120.0 1; system.slice/a.service 8:16 io.max wbps 10485760.0 1; "
     "system.slice/a.service - io.pressure some_avg60_pct 68.02 2; user.slice 8:0 io.latency target_us 75000.0 4;  "
     "259:0 io.cost.qos "
     "enable 1.0 7"},
    {NULL, "cat /sys/fs/cgroup/lxc/104/io.max", "8:0 rbps=1048576 wbps=max riops=max wiops=max\n",
     "lxc/104 8:0 io.max rbps 1048576.0 1"},
    {"sys/fs/cgroup/a.slice/io.latency", NULL, "8:0 target=1000\n", "a.slice 8:0 io.latency target_us 1000.0 1"},
    {NULL, NULL, "/sys/fs/cgroup/blkio/docker/4f1c/blkio.throttle.write_bps_device:8:0 5242880\n",
     "blkio/docker/4f1c 8:0 io.max wbps 5242880.0 1"},
    {NULL, "systemctl show backup.service -p IOWriteBandwidthMax", "IOWriteBandwidthMax=/dev/sda 5000000\n",
     "backup.service /dev/sda io.max wbps 5000000.0 1"},
    {NULL, "systemctl cat x.service", "IOReadIOPSMax=/dev/sdb 1K\nIOWriteBandwidthMax=\n",
     "x.service /dev/sdb io.max riops 1000.0 1"},
};

static void control_groups(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        Str text = str_of(groups[i].text);
        ParseTest *pt = pt_run(&parser_cgroup, groups[i].path, groups[i].command, text);
        if (pt->ctx.bad_rows || pt->result != PARSE_OK) fail_msg("%zu: %.*s", i, STR_ARG(pt->ctx.first_note));
        assert_string_equal(pt_text(pt, GROUPS), groups[i].want);
        assert_true(parser_cgroup.bid(str_of(groups[i].path), str_of(groups[i].command), text) > 0);
        assert_int_equal(parser_sysfs.bid(STR_NONE, STR_NONE, text), 0);
        pt_free(pt);
    }
    ParseTest *pt = pt_run(&parser_cgroup, NULL, NULL, STR("/sys/fs/cgroup/a/io.max:sda rbps=1\n8:0 nothing\n"));
    assert_int_equal(pt->ctx.bad_rows, 2);
    pt_free(pt);
}

static void tasks(void **state) {
    (void)state;
    ParseTest *pt = pt_run(
        &parser_ps, NULL, "ps -eo state,pid,wchan:32,cmd",
        STR("S     PID WCHAN                            CMD\n"
            "S       1 ep_poll                          /sbin/init splash\n"
            "D    4711 io_schedule                      /usr/bin/rsync -a /srv /backup\n"
            "D     900 -                                [txg_sync]\n"
            "S     901 -                                task UPID:pve:0002AD33:0001:65E12345:vzdump:104:root@pam:\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, "SELECT group_concat(key||'='||value||' '||line, '; ') FROM setting"),
                        "task_blocked=rsync (in io_schedule) 3; task_blocked=[txg_sync] 4; tasks_blocked=2 3");
    assert_string_equal(pt_text(pt, "SELECT kind||' '||name||' '||state FROM job WHERE kind = 'backup'"), "backup vzdump running");
    pt_free(pt);
    pt = pt_run(&parser_ps, NULL, "ps aux",
                STR("USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n"
                    "root           1  0.0  0.1 168000 12000 ?        Ss   Mar01   0:09 /sbin/init\n"
                    "root         712  3.1  0.0      0     0 ?        D<   Mar01  99:09 [md0_raid5]\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, "SELECT group_concat(value, ', ') FROM setting"), "[md0_raid5], 1");
    pt_free(pt);
    assert_true(parser_ps.continues(STR("99.4   60112 R xz              xz -9 -c")));
    assert_true(parser_ps.continues(STR("   1   60112 S tar             tar -cf - /srv")));
    assert_true(parser_ps.continues(STR("root     60112  0,5  12.1 Dl   smbd")));
    assert_false(parser_ps.continues(STR("it took 5 Swedish hours")));
    assert_false(parser_ps.continues(STR("99.4 100 nvme0n1 R")));
    pt = pt_run(&parser_ps, NULL, NULL, STR("S PID CMD\nS 1 init\nnonsense\n")); /* a chosen few: no count of 0 */
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_string_equal(pt_text(pt, "SELECT count(*) FROM setting"), "0");
    pt_free(pt);
    assert_int_equal(parser_ps.bid(STR_NONE, STR("ps -ef"),
                                   STR("UID PID PPID C STIME TTY TIME CMD\nroot 1 0 0 Mar01 ? 00:00:09 init\n")),
                     0);
}

#define PICTURE(st, state)                                                                                             \
    "top - 12:00:01 up 10 days,  3:02,  1 user,  load average: 44.10, 40.02, 31.11\nTasks: 301 total,   1 running\n"   \
    "%Cpu(s):  1.2 us,  0.5 sy,  0.0 ni, 48.0 id, 30.3 wa,  0.0 hi,  0.0 si, " st " st\nMiB Mem :  31869.1 total\n\n"  \
    "    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n"                                 \
    "   4711 root      20   0   12032   4096   2048 " state "   3.0   0.0   0:09.01 rsync -a\n"

static void tops(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(&parser_top, NULL, "top -b -n 3", STR(PICTURE("1.0", "S") PICTURE("20.0", "D") PICTURE("31.0", "D")));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(
        pt_text(pt, "SELECT group_concat(key||'='||value||' '||line, '; ') FROM setting WHERE key <> 'load_1min'"),
        "task_blocked=rsync 14; task_blocked=rsync 21; cpu_steal_pct=25.5 10; tasks_blocked=1 14");
    assert_string_equal(pt_text(pt, "SELECT count(*)||' '||max(value) FROM setting WHERE key = 'load_1min'"), "3 44.1");
    pt_free(pt);
    pt = pt_run(&parser_top, NULL, NULL, STR(PICTURE("9.0", "S") "rubbish\n")); /* since boot, and damaged */
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_string_equal(pt_text(pt, "SELECT group_concat(key) FROM setting"), "load_1min");
    pt_free(pt);
}

static void backups(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(&parser_vzdump, NULL, NULL,
               STR("INFO: starting new backup job: vzdump 104 105 --mode snapshot\n"
                   "INFO: Starting Backup of VM 104 (qemu)\nINFO: Backup started at 2024-03-01 02:00:03\n"
                   "INFO: Finished Backup of VM 104 (00:05:03)\nINFO: Backup finished at 2024-03-01 02:05:06\n"
                   "INFO: Starting Backup of CT 105 (lxc)\nINFO: Backup started at 2024-03-01 02:05:06\n"
                   "INFO: Total bytes written: 1 (1B, 1MiB/s)\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, "SELECT group_concat(target||' '||state||' '||local_start_s||' "
                                    "'||coalesce(local_end_s,'-')||' '||line, '; ') FROM job"),
                        "104 finished 1709258403.0 1709258706.0 2; 105 unknown 1709258706.0 - 6");
    pt_free(pt);
    pt = pt_run(
        &parser_vzdump, "var/log/vzdump/qemu-104.log", NULL,
        STR("2024-03-01 02:00:03 INFO: Starting Backup of VM 104 (qemu)\n2024-03-01 02:00:04 INFO: status = running\n"
            "2024-03-01 02:03:00 ERROR: Backup of VM 104 failed - job failed\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, "SELECT target||' '||(local_end_s-local_start_s) FROM job"), "104 177.0");
    pt_free(pt);
    pt = pt_run(&parser_vzdump, NULL, NULL,
                STR("INFO: Starting Backup of VM 104 (qemu)\nINFO: Backup started at noon\nprose\n"));
    assert_int_equal(pt->ctx.bad_rows, 2);
    pt_free(pt);
}

#define SETTINGS "SELECT group_concat(key||'='||value||' '||line, '; ') FROM setting"

static void cpus(void **state) {
    (void)state;
    ParseTest *pt = pt_run(
        &parser_cpupower, NULL, "cpupower frequency-info",
        STR("analyzing CPU 0:\n  driver: acpi-cpufreq\n  CPUs which run at the same hardware frequency: 0\n"
            "  hardware limits: 800 MHz - 2.60 GHz\n  available cpufreq governors: powersave performance\n"
            "  current policy: frequency should be within 800 MHz and 1.20 GHz.\n"
            "                  The governor \"powersave\" may decide which speed to use\n"
            "                  within this range.\n  current CPU frequency: 1.20 GHz (asserted by call to hardware)\n"
            "  boost state support:\n    Supported: yes\n    Active: yes\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, SETTINGS),
                        "cpu_freq_driver=acpi-cpufreq 2; cpu_freq_max_khz=2600000 4; cpu_freq_limit_khz=1200000 6; "
                        "cpu_governor=powersave 7");
    pt_free(pt);
    pt = pt_run(&parser_cpupower, NULL, "cpupower frequency-info", STR("analyzing CPU 0:\nrubbish\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    pt_free(pt);
    pt = pt_run(&parser_sysfs, NULL,
                "grep . /sys/devices/system/cpu/cpu*/cpufreq/* /sys/devices/system/cpu/cpu*/thermal_throttle/*",
                STR("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor:powersave\n"
                    "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver:acpi-cpufreq\n"
                    "/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor:powersave\n"
                    "/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count:0\n"
                    "/sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count:0\n"
                    "/sys/devices/system/cpu/cpu1/thermal_throttle/package_throttle_count:12\n"
                    "/sys/devices/system/cpu/cpu2/thermal_throttle/package_throttle_count:12\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, SETTINGS), "cpu_governor=powersave 1; cpu_freq_driver=acpi-cpufreq 2");
    assert_string_equal(pt_text(pt, "SELECT group_concat(name||'='||value||' '||line, '; ') FROM counter"),
                        "core_throttle_count=0.0 4; package_throttle_count=12.0 6; package_throttle_count=12.0 7");
    pt_free(pt);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ebs),     cmocka_unit_test(control_groups),
                                       cmocka_unit_test(tasks),   cmocka_unit_test(tops),
                                       cmocka_unit_test(backups), cmocka_unit_test(cpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
