/* Jobs: timers, crontabs, task lists; where Proxmox keeps things; swap spaces; pveperf. And what kind of job a name is. */
#include "../../analyze/base/times.h"
#include "../../analyze/facts/jobs.h"
#include "device_test.h"

#include <math.h>

extern const Parser parser_pbs_log, parser_timers, parser_crontab, parser_task_list, parser_storage_config,
    parser_swaps, parser_pveperf;

#define HEAD "NEXT                        LEFT        LAST                        PASSED     UNIT         ACTIVATES\n"
#define JOBS                                                                                                           \
    "SELECT group_concat(coalesce(kind, '-')||' '||name||' '||coalesce(state, '-')||' '||coalesce(CAST(start_s AS "    \
    "INTEGER), '-')||' '||coalesce(CAST(end_s AS INTEGER), '-')||' '||line, '; ') FROM job"

static const DeviceCase timers[] = {
    {"fstrim is there", NULL, NULL,
     HEAD
     "Mon 2024-07-08 00:31:07 UTC 6 days left Mon 2024-07-01 00:31:07 UTC 1 day ago fstrim.timer fstrim.service\n\n1 "
     "timers listed.\n",
     ALL_SETTINGS, "host fstrim_timer=enabled kernel 2"},
    {"fstrim will not run", NULL, NULL,
     HEAD "n/a n/a Mon 2024-07-01 00:31:07 UTC 1 day ago fstrim.timer fstrim.service\n",
     SETTING_OF("host", "fstrim_timer"), "disabled"},
    {"without fstrim", NULL, NULL,
     HEAD "Tue 2024-07-02 00:00:00 UTC 7h left Mon 2024-07-01 00:00:00 UTC 16h ago logrotate.timer logrotate.service\n",
     ALL_SETTINGS, "host fstrim_timer=absent kernel 1"},
    {"when they ran last", NULL, NULL,
     HEAD "Mon 2024-07-08 00:31:07 UTC 6 days left Mon 2024-07-01 00:31:07 UTC 1 day ago fstrim.timer fstrim.service\n"
          "-                           -           Mon 2024-07-01 00:45:02 UTC 1 day ago mdcheck_start.timer "
          "mdcheck_start.service\n"
          "Tue 2024-07-02 02:00:00 UTC 7h          -                           -         borg-home.timer "
          "borg-home.service\n",
     JOBS,
     "trim fstrim.service - 1719793867 - 2; check mdcheck_start.service - 1719794702 - 3; backup "
     "borg-home.service - - - 4"},
    {"without a zone", NULL, NULL,
     HEAD
     "Mon 2024-07-08 00:31:07 XYZT 6 days left Mon 2024-07-01 00:31:07 XYZT 1 day ago fstrim.timer fstrim.service\n",
     "SELECT coalesce(start_s, 'NULL')||' '||CAST(local_start_s AS INTEGER) FROM job", "NULL 1719793867"},
};

static const DeviceCase crontabs[] = {
    {"grep", NULL, "grep -rs . /etc/crontab /etc/cron.d",
     "/etc/crontab:SHELL=/bin/sh\n/etc/crontab:17 *\t* * *\troot\tcd / && run-parts --report /etc/cron.hourly\n"
     "/etc/crontab:25 6\t* * *\troot\trun-parts --report /etc/cron.daily\n"
     "/etc/cron.d/zfsutils-linux:24 0 8-14 * * root if [ $(date +\\%w) -eq 0 ]; then /usr/lib/zfs-linux/scrub; fi\n"
     "/etc/cron.d/own:0 3 * * 1-5 backupuser /opt/backup-vm all\n",
     "SELECT group_concat(coalesce(kind, '-')||' '||schedule||' '||coalesce(state, '-')||' '||name, '; ') FROM job",
     "- 17 *\t* * * - cd / && run-parts --report /etc/cron.hourly; daily 25 6\t* * * - run-parts --report "
     "/etc/cron.daily; "
     "scrub 24 0 8-14 * * conditional if [ $(date +\\%w) -eq 0 ]; then /usr/lib/zfs-linux/scrub; fi; backup 0 3 * * "
     "1-5 - "
     "/opt/backup-vm all"},
    {"of a user", NULL, "crontab -l",
     "# m h  dom mon dow   command\nMAILTO=\"\"\n0 3 * * * rsync -a /a /b\n@weekly restic prune\n",
     "SELECT group_concat(kind||' '||schedule||' '||name, '; ') FROM job",
     "backup 0 3 * * * rsync -a /a /b; prune @weekly restic prune"},
};

static const DeviceCase tasks[] = {
    {"Proxmox VE", NULL, "pvenode task list",
     "+------+\n| UPID | Type | ID | User | Starttime | Endtime | Status |\n+======+\n"
     "| UPID:pve:0001A2B3:02F1C3D4:664F0A10:vzdump:101:root@pam: | vzdump | 101 | root@pam | 1716455952 | 1716457801 | "
     "OK |\n"
     "| UPID:pve:0001A2B4:02F1C3D5:664F0A11:qmstart:102:root@pam: | qmstart | 102 | root@pam | 1716455953 | 1716455955 "
     "| OK |\n"
     "| UPID:pve:0001A2B5:02F1C3D6:664F0A12:vzdump::root@pam: | vzdump |  | root@pam | 1716455954 |  | RUNNING "
     "|\n+------+\n",
     JOBS,
     "backup vzdump 101 finished 1716455952 1716457801 4; - qmstart 102 finished 1716455953 1716455955 5; backup "
     "vzdump "
     "running 1716455954 - 6"},
    {"Proxmox Backup Server", NULL, "proxmox-backup-manager task list",
     "\xe2\x94\x82 starttime \xe2\x94\x82 endtime \xe2\x94\x82 upid \xe2\x94\x82 status \xe2\x94\x82\n"
     "\xe2\x94\x82 Thu May 23 03:00:00 2024 \xe2\x94\x82 \xe2\x94\x82 "
     "UPID:pbs:00000A1B:00000C2D:00000005:664E9430:garbage_collection:store1:root@pam: \xe2\x94\x82 running "
     "\xe2\x94\x82\n"
     "\xe2\x94\x82 Thu May 23 02:00:00 2024 \xe2\x94\x82 Thu May 23 02:10:00 2024 \xe2\x94\x82 "
     "UPID:pbs:00000A1B:00000C2D:00000004:664E8620:verificationjob:store1\\x3av-1:root@pam: \xe2\x94\x82 OK "
     "\xe2\x94\x82\n",
     "SELECT group_concat(kind||' '||target||' '||state||' '||CAST(start_s AS INTEGER)||' '||coalesce(CAST(local_end_s "
     "AS "
     "INTEGER), '-'), '; ') FROM job",
     "gc store1 running 1716425776 -; verify store1\\x3av-1 finished 1716422176 1716430200"},
};

static const DeviceCase logs[] = {
    {"garbage collection", NULL, NULL,
     "2024-05-23T03:00:00+02:00: starting garbage collection on store store1\n2024-05-23T03:00:00+02:00: Start GC "
     "phase1 (mark "
     "used chunks)\n2024-05-23T05:12:44+02:00: marked 50% (206 of 412 index files)\n2024-05-23T09:40:02+02:00: Removed "
     "chunks: 10417\n2024-05-23T09:40:02+02:00: TASK OK\n",
     JOBS, "gc garbage_collection store1 finished 1716426000 1716450002 1"},
    {"two, the second cut off", NULL, NULL,
     "2024-05-23T03:00:00+02:00: Starting datastore verify job 'store1:v-1'\n2024-05-23T03:00:01+02:00: verify "
     "datastore "
     "store1\n2024-05-23T03:10:00+02:00: TASK ERROR: verification failed\n2024-05-23T04:00:00+02:00: starting garbage "
     "collection on store 'b'\n2024-05-23T04:30:00+02:00: marked 1% (5 of 412 index files)\n",
     JOBS,
     "verify verificationjob store1:v-1 finished 1716426000 1716426600 1; gc garbage_collection b unknown 1716429600 "
     "1716431400 4"},
    {"an excerpt", NULL, NULL,
     "2024-05-23T05:12:44+02:00: marked 50% (206 of 412 index files)\n2024-05-23T05:42:44+02:00: marked 51% (211 of "
     "412 index "
     "files)\n",
     JOBS, "gc garbage_collection unknown 1716433964 1716435764 1"},
};

static const DeviceCase stores[] = {
    {"storage.cfg", NULL, NULL,
     "dir: local\n\tpath /var/lib/vz\n\tcontent iso,backup\n\nlvmthin: local-lvm\n\tthinpool data\n\tvgname "
     "pve\n\tcontent "
     "images\n\nzfspool: tank-vm\n\tpool tank/vm\n\tsparse\n\tcontent images\n\tdisable\n",
     "SELECT group_concat(kind||' '||type||' '||name||' '||coalesce(path, pool)||' '||disabled||' '||line, '; ') FROM "
     "store",
     "pve dir local /var/lib/vz 0 1; pve lvmthin local-lvm pve/data 0 5; pve zfspool tank-vm tank/vm 1 10"},
    {"datastore.cfg", NULL, NULL,
     "datastore: store1\n\tcomment nightly\n\tgc-schedule sat 03:00\n\tpath /mnt/datastore/store1\n",
     "SELECT kind||' '||name||' '||path||' '||gc_schedule FROM store", "pbs store1 /mnt/datastore/store1 sat 03:00"},
};

#define SWAPS                                                                                                          \
    "SELECT group_concat(w.name||' '||type||' '||CAST(size_bytes AS INTEGER)||' '||CAST(used_bytes AS INTEGER)||' "    \
    "'||coalesce(r.name, '-'), '; ') FROM swap w LEFT JOIN ref r ON r.id = w.node"

static const DeviceCase swaps[] = {
    {"/proc/swaps", NULL, NULL,
     "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n/dev/sda3                               "
     "partition\t8388604\t\t1234567\t\t-2\n/swap.img file 4194300 0 -3\n/dev/zram0 partition 1024 512 100\n",
     SWAPS,
     "/dev/sda3 device 8589930496 1264196608 sda3; /swap.img file 4294963200 0 -; /dev/zram0 zram 1048576 524288 -"},
    {"swapon", NULL, NULL, "NAME      TYPE      SIZE USED PRIO\n/dev/zd16 partition   8G 2.5G   -2\n", SWAPS,
     "/dev/zd16 zvol 8589934592 2684354560 zd16"},
    {"swapon --bytes", NULL, NULL, "NAME      TYPE       SIZE USED PRIO\n/dev/nvme0n1p3 partition 8589930496 0B -2\n",
     SWAPS, "/dev/nvme0n1p3 device 8589930496 0 nvme0n1p3"},
    {"FreeBSD", NULL, NULL,
     "Device          1K-blocks     Used    Avail Capacity\n/dev/ada0p3.eli   4194304   524288  3670016    13%\nTotal "
     "4194304 "
     "524288 3670016 13%\n",
     SWAPS, "/dev/ada0p3.eli device 4294967296 536870912 ada0p3"},
};

static const DeviceCase perfs[] = {
    {"LVM", NULL, NULL,
     "CPU BOGOMIPS:      57471.52\nREGEX/SECOND:      3824412\nHD SIZE:           64.27 GB "
     "(/dev/mapper/pve-root)\nBUFFERED "
     "READS:    239.96 MB/sec\nAVERAGE SEEK TIME: 0.24 ms\nFSYNCS/SECOND:     691.50\nDNS EXT:           54.79 ms\n",
     "SELECT group_concat(rw||' '||sync||' '||target||' '||coalesce(iops, mb_s)||' '||line, '; ') FROM benchmark",
     "read none /dev/mapper/pve-root 239.96 4; write dsync /dev/mapper/pve-root 691.5 6"},
    {"ZFS", NULL, NULL,
     "CPU BOGOMIPS:      121369.44\nREGEX/SECOND:      7314912\nHD SIZE:           10885.91 GB "
     "(tank/vm)\nFSYNCS/SECOND:     "
     "96.60\nDNS EXT:           28.81 ms\nDNS INT:           1001.23 ms (example.org)\n",
     "SELECT r.kind||' '||r.name||' '||iops FROM benchmark b JOIN ref r ON r.id = b.node", "dataset tank/vm 96.6"},
};

#define EACH(name_, parser_)                                                                                           \
    static void name_##_values(void **state) {                                                                         \
        (void)state;                                                                                                   \
        device_values(&parser_, name_, sizeof name_ / sizeof *name_);                                                  \
        device_damage(&parser_, name_, sizeof name_ / sizeof *name_);                                                  \
    }
EACH(timers, parser_timers)
EACH(crontabs, parser_crontab)
EACH(tasks, parser_task_list)
EACH(logs, parser_pbs_log)
EACH(stores, parser_storage_config)
EACH(swaps, parser_swaps)
EACH(perfs, parser_pveperf)

static void notes(void **state) {
    (void)state;
    device_notes(&parser_timers, HEAD "Mon 2024-07-08 00:31:07 UTC 6 days left Mon 2024-07-01 00:31\n", 1,
                 "SELECT count(*) FROM job", "0");
    device_notes(&parser_task_list,
                 "| UPID | Starttime | Status |\n| UPID:pve:zz:vzdump | 1 | OK |\n"
                 "| UPID:pve:0001A2B3:02F1C3D4:664F0A10:vzdump:101:root@pam: | 1 | OK |\n",
                 1, "SELECT count(*) FROM job", "1");
    device_notes(&parser_swaps, "Filename Type Size Used Priority\n/dev/sda3 partition x y -2\n", 1,
                 "SELECT count(*) FROM swap", "0");
    device_notes(&parser_pveperf, "CPU BOGOMIPS: 100\nFSYNCS/SECOND: many\n", 1, "SELECT count(*) FROM benchmark", "0");
}

static void kinds(void **state) {
    (void)state;
    static const struct {
        const char *text, *timer, *process;
    } cases[] = {
        {"zfs-scrub-weekly@tank.timer", "scrub", NULL},
        {"mdcheck_continue.service", "check", NULL},
        {"garbage_collection", "gc", NULL},
        {"verificationjob", "verify", NULL},
        {"dpkg-db-backup.service", NULL, NULL},
        {"rsyslog.service", NULL, NULL},
        {"logrotate.service", NULL, NULL},
        {"/usr/bin/rsync -a /a /b", "backup", "copy"},
        {"rsync --daemon --no-detach", "backup", NULL},
        {"/usr/bin/python3 /usr/bin/borg create ::x /", "backup", "backup"},
        {"ionice -c 3 nice -n 19 fstrim -av", "trim", "trim"},
        {"zpool scrub tank", "scrub", "scrub"},
        {"zfs send tank/a@1", NULL, "sync"},
        {"task UPID:pve:0001A2B3:02F1C3D4:664F0A10:vzdump:101:root@pam:", "backup", "backup"},
        {"/usr/lib/x86_64-linux-gnu/proxmox-backup/proxmox-backup-proxy", "backup", NULL},
        {"mysqld --datadir=/backup", "backup", NULL},
        {"rclone mount remote: /mnt", "backup", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *timer = job_kind(str_of(cases[i].text)), *process = job_of_process(str_of(cases[i].text));
        assert_string_equal(timer ? timer : "none", cases[i].timer ? cases[i].timer : "none");
        assert_string_equal(process ? process : "none", cases[i].process ? cases[i].process : "none");
    }
}

static void schedules(void **state) {
    (void)state;
    static const struct {
        const char *fields, *now, *due;
    } cases[] = {
        {"24 0 8-14 * *", "2024-05-20T12:00:00Z", "2024-05-14T00:24:00Z"},
        {"57 0 * * 0", "2024-05-19T00:57:30Z", "2024-05-19T00:57:00Z"},
        {"57 0 * * 7", "2024-05-19T00:56:59Z", "2024-05-12T00:57:00Z"},
        {"*/15 8-18/2 * * mon-fri", "2024-05-20T09:10:00Z", "2024-05-20T08:45:00Z"},
        {"0 3 1 * 1", "2024-05-28T12:00:00Z", "2024-05-27T03:00:00Z"}, /* the 1st or a Monday */
        {"0 0 29 2 *", "2024-12-01T00:00:00Z", "2024-02-29T00:00:00Z"},
        {"@monthly", "2024-05-20T12:00:00Z", "2024-05-01T00:00:00Z"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double now, due;
        assert_true(time_parse(str_of(cases[i].now), &now, NULL) && time_parse(str_of(cases[i].due), &due, NULL));
        assert_true(job_cron_before(str_of(cases[i].fields), now) == due);
    }
    static const char *const never[] = {"",        "* * * *",     "60 * * * *", "0 0 31 2 *",
                                        "@reboot", "0 3 * * xyz", "*/0 * * * *"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        assert_true(isnan(job_cron_before(str_of(never[i]), 1716200000)));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(timers_values), cmocka_unit_test(crontabs_values),
                                       cmocka_unit_test(tasks_values),  cmocka_unit_test(logs_values),
                                       cmocka_unit_test(stores_values), cmocka_unit_test(swaps_values),
                                       cmocka_unit_test(perfs_values),  cmocka_unit_test(notes),
                                       cmocka_unit_test(kinds),         cmocka_unit_test(schedules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
