/*
 * jobs.h - work that comes by itself: what kind of job a unit, a crontab line, a task or a process is, and when a crontab runs it
 */
#ifndef STORDX_FACTS_JOBS_H
#define STORDX_FACTS_JOBS_H

#include "../base/str.h"

/*
 * The kind of job that the words of a timer, a crontab line or a task name: scrub trim check verify gc prune sync backup balance index
 * scan self-test; NULL where they name none that loads storage. Whole words count ("fstrim.service", "run-parts /etc/cron.daily" is
 * "daily"), so "backups-web" is a backup and "rsyncd.conf" is nothing.
 */
const char *job_kind(Str words);

/* The same of a running process by its command line, or by its name alone, with copy for rsync and its like, which people also start by
   hand: the program counts, and its first words where the program
   does several things (zpool scrub). Daemons that only wait for such work (proxmox-backup-proxy, rsync --daemon) are no jobs. */
const char *job_of_process(Str command);

/*
 * When a crontab line was due last, at or before `now_s` of the same clock, to the minute; NAN where that is never or the text is no
 * schedule. fields: "MIN HOUR DAY MONTH WEEKDAY" or "@daily" and its like; @reboot is NAN. As crontab(5): where day and weekday are both
 * restricted, either may match. Looks back at most two years.
 */
double job_cron_before(Str fields, double now_s);

#endif
