-- schema.sql - the fact database, the one place where its shape is described
--
-- Conventions
--   * A column name carries its unit (size_bytes, w_await_ms, link_gbps). NULL means unknown, never 0 or ''.
--   * `capture` is one moment of collection; one upload may hold several. Rules get the capture under diagnosis as
--     :capture and must filter by it.
--   * `src` and `line` say where a fact was read: source.id and the line number in that member (1-based). A negative
--     `line` stands for a spot in JSON or XML, which has no line: line_text then holds its path; or for one part of a
--     line that was cut up, with the path 'line N part K'. cite(src, line) turns all of them into evidence.
--   * `node` is node.id. While an upload is being parsed it holds a ref.id instead: parsers know names only, and
--     facts_resolve() turns names into things once everything has been read.
--   * `view` says who speaks: 'kernel' (sysfs, kernel log, lsblk), 'drive' (the device was asked: hdparm, smartctl, nvme) or
--     'firmware' (DMI, controller tools); 'by-hand': somebody typed it off. Two facts are independent evidence when their views differ.
--   * Times are seconds since 1970-01-01 UTC in columns named *_s, monotonic times are seconds since boot in *_mono_s.

CREATE TABLE bundle (               -- one upload
    id            INTEGER PRIMARY KEY,
    label         TEXT,             -- file name as given
    kind          TEXT,             -- stordx sosreport supportconfig archive directory file paste
    host          TEXT,
    os            TEXT,
    kernel        TEXT,
    host_identity TEXT,             -- keyed hash from the collector
    test_path     TEXT              -- set when the bundle was made with test tools
);
CREATE TABLE capture (              -- one moment of collection
    id            INTEGER PRIMARY KEY,
    bundle        INTEGER NOT NULL,
    label         TEXT,
    start_s       REAL,
    end_s         REAL,
    boot_id       TEXT,
    timezone_s    INTEGER,          -- seconds east of UTC
    uptime_s      REAL,             -- at the start of the capture
    sampling_s    REAL,             -- requested length of the samples
    complete      INTEGER           -- 1: a manifest is there and has its end line; 0: cut; NULL: no manifest
);
CREATE TABLE boot (                 -- boots seen in a capture; seq 0 is the one the capture was made in, -1 the one before
    id            INTEGER PRIMARY KEY,
    capture       INTEGER NOT NULL,
    seq           INTEGER NOT NULL,
    boot_id       TEXT,
    start_s       REAL
);
CREATE TABLE source (               -- every piece of the upload
    id            INTEGER PRIMARY KEY,
    bundle        INTEGER NOT NULL,
    capture       INTEGER,
    member        TEXT NOT NULL,    -- path inside the upload; nested archives as outer!inner; '-' for standard input
    line_first    INTEGER,
    line_last     INTEGER,
    tool          TEXT,             -- parser name
    command       TEXT,             -- command line, when seen
    status        TEXT,             -- parsed partial empty failed unrecognised skipped
    bid           INTEGER,          -- bits of evidence on which the tool was recognised
    rows          INTEGER,          -- rows understood
    bad_rows      INTEGER,          -- rows not understood
    first_bad_line INTEGER,
    note          TEXT,             -- why not, in words
    bytes         INTEGER,
    boot          INTEGER DEFAULT 0, -- boot.seq of what it reports
    local_time    INTEGER           -- 1: its time stamps carry no zone and were read as local
);
CREATE TABLE note (                 -- complaints of parsers
    src INTEGER, line INTEGER, text TEXT
);
CREATE TABLE statement (            -- lines of prose in which the reader speaks: quoted, never evidence
    capture INTEGER, src INTEGER, line INTEGER, text TEXT
);
CREATE TABLE line_text (            -- original lines that facts rest on, clipped to 512 bytes
    src INTEGER, line INTEGER, text TEXT, path TEXT,
    PRIMARY KEY (src, line)
) WITHOUT ROWID;
CREATE TABLE manifest (             -- what a collector says it ran
    name TEXT, start_s REAL, end_s REAL, rc INTEGER, status TEXT, command TEXT,
    why TEXT,                       -- why it was left out, cut or abandoned
    src INTEGER, line INTEGER
);

-- Names, before they are resolved. same_as joins two names of one thing.
CREATE TABLE ref (
    id INTEGER PRIMARY KEY, src INTEGER, boot INTEGER, kind TEXT NOT NULL, name TEXT NOT NULL, node INTEGER
);
CREATE TABLE same_as (a INTEGER, b INTEGER, how TEXT, src INTEGER, line INTEGER);

CREATE TABLE node (                 -- everything a report can speak about
    id            INTEGER PRIMARY KEY,
    kind          TEXT NOT NULL,    -- host controller link drive partition pool vdev array volume filesystem guest process
    key           TEXT NOT NULL UNIQUE, -- stable text, the id of the JSON report
    label         TEXT NOT NULL     -- what people call it: sda, storage, 0000:00:17.0
);
CREATE TABLE host (node INTEGER, capture INTEGER); -- the machine of each capture
CREATE TABLE edge (                 -- parent is closer to the hardware: host controller drive partition vdev pool filesystem
    capture INTEGER, parent INTEGER, child INTEGER, src INTEGER, line INTEGER
);
CREATE TABLE reach (                -- transitive closure of edge: `above` rests on `below`; contains every node with itself
    capture INTEGER, below INTEGER, above INTEGER, depth INTEGER,
    PRIMARY KEY (capture, below, above)
) WITHOUT ROWID;

CREATE TABLE drive (                -- one row per physical drive and capture
    node          INTEGER, capture INTEGER,
    name          TEXT,             -- kernel name in the boot of the capture
    wwn           TEXT,             -- 16 (or 32) lower-case hex digits; also EUI-64 and NGUID
    serial        TEXT, model TEXT, vendor TEXT, firmware TEXT,
    media         TEXT,             -- hdd ssd nvme flash optical virtual; NULL unknown
    bus           TEXT,             -- ata sas scsi nvme usb mmc virtio raid; NULL unknown
    size_bytes    INTEGER,
    rotation_rpm  INTEGER,
    removable     INTEGER,
    internal      INTEGER,          -- 1 on ata/sas/nvme ports of the machine, 0 on usb, NULL unknown
    is_virtual    INTEGER,          -- disk of a virtual machine or a RAID controller's volume, not a drive
    behind_raid   TEXT,             -- RAID driver that answers for it
    class         TEXT,             -- hdd-5400 hdd-7200 hdd-10k ssd-sata ssd-sas nvme usb-hdd usb-ssd usb-stick sd
    class_mb_s    REAL,             -- sequential ceiling, payload, MB/s (10^6); NULL, as the next two, for a virtual disk
    class_iops    REAL,             -- random 4 KiB ceiling, deep queue
    class_wait_ms REAL,             -- wait at light load
    slow_wait_ms  REAL,             -- threshold of write-latency and read-latency: 5 NVMe, 10 SSD, 40 HDD; of a RAID volume that of its drives
    plp           TEXT,             -- yes no partial; NULL unknown
    identity      TEXT,             -- what this row was told apart by, strongest first: wwn+serial, serial, wwn, model, name.
                                    -- 'model' and 'name' are weak: two such drives of one model cannot be told apart
    PRIMARY KEY (node, capture)
);
CREATE TABLE drive_name (           -- every name a drive has or had
    node INTEGER, capture INTEGER, boot INTEGER, name TEXT, kind TEXT, src INTEGER, line INTEGER
);
CREATE TABLE recorded_name (        -- kernel names under which something remembers a drive
    node INTEGER, capture INTEGER,  -- the drive that is meant, found by more than this name
    name          TEXT,             -- the disk's kernel name as it was recorded: sdc
    stale         INTEGER,          -- 1: the drive has another name today; 0: it still has this one
    recorded_by   TEXT,             -- 'zpool status', 'zfs label', 'kernel log' (of an earlier boot)
    matched_by    TEXT,             -- how the drive was found: guid devid, 'serial or wwn'
    boot          INTEGER,          -- seq of the earlier boot, where a log remembers
    holder        INTEGER,          -- the drive that has this name today; NULL: none of the capture
    src INTEGER, line INTEGER
);
CREATE TABLE place (                -- where a drive sits
    node INTEGER, capture INTEGER, boot INTEGER,
    controller    INTEGER,          -- node of the controller
    bdf           TEXT,             -- PCI address of the controller, 0000:00:17.0
    mode          TEXT,             -- ide ahci raid sas nvme usb: the controller's mode when the place was read
    port          TEXT,             -- port number on that controller, from 1 for AHCI; phy for SAS; USB path.
                                    -- NULL in mode 'ide': channels are another axis than ports
    channel       TEXT,             -- mode 'ide': channel on the PCI function, from 1
    unit          TEXT,             -- mode 'ide': master slave
    multiplier    TEXT,             -- port behind a SATA port multiplier, from 0
    expander      TEXT,             -- SAS address of the expander in between, or its kernel name expander-0:1
    phy           TEXT,             -- phy of the HBA, or of the expander where there is one
    ata           TEXT,             -- ata3: per boot
    hctl          TEXT,             -- 2:0:0:0: per boot
    slot          TEXT, enclosure TEXT, -- bay; the enclosure's address or logical id
    label         TEXT,             -- printed form: "0000:00:17.0 port 3", "0000:00:1f.2 channel 1 master"
    src INTEGER, line INTEGER
);
CREATE TABLE pci_device (           -- storage controllers, NVMe and bridges as lspci or sysfs show them
    node INTEGER, capture INTEGER,
    bdf TEXT, class_code TEXT,      -- 4 hex digits, 0106
    prog_if TEXT, vendor_id TEXT, device_id TEXT, subsystem TEXT,
    name TEXT, driver TEXT,
    unit TEXT,                      -- the driver's name for it, where one line gives both: nvme0, mps1 (FreeBSD)
    mode TEXT,                      -- ide ahci raid nvme sas; derived in facts_resolve from class, prog-if and driver
    mode_by TEXT,                   -- what `mode` was told by: driver, class. The log's word is setting sata_mode_seen
    emulated INTEGER,               -- 1: made by a hypervisor, so its mode is no firmware setting
    upstream_bdf TEXT,
    lnkcap_gtps REAL, lnkcap_width INTEGER, lnksta_gtps REAL, lnksta_width INTEGER,
    lnkcap_line INTEGER, lnksta_line INTEGER, -- where these stand, in `src`; NULL: in `line`
    link_access_denied INTEGER,     -- 1: "Capabilities: <access denied>"
    src INTEGER, line INTEGER
);
CREATE TABLE setting (              -- key is one of keys.def
    node INTEGER, capture INTEGER, boot INTEGER, key TEXT NOT NULL, value TEXT, view TEXT, src INTEGER, line INTEGER
);
CREATE TABLE counter (              -- cumulative and health figures: SMART attributes, NVMe log, phy events, sysfs
    node INTEGER, capture INTEGER,
    name          TEXT NOT NULL,    -- as the tool prints it: UDMA_CRC_Error_Count, media_errors, percentage_used
    id            INTEGER,          -- ATA attribute number, phy event id
    kind          TEXT,             -- ata nvme scsi phy sysfs devstat raid
    value         REAL,             -- the figure (raw value of an ATA attribute as a number)
    raw           TEXT,             -- raw value as printed
    normalized    INTEGER, worst INTEGER, threshold INTEGER,
    when_failed   TEXT,             -- now past; NULL never
    prefail       INTEGER,          -- ATA attribute: 1 its maker calls it a sign of failure, 0 of age
    unit          TEXT,
    t_mono_s      REAL,             -- when it was read, where the output says so (ZFS kstats of Linux)
    src INTEGER, line INTEGER
);
CREATE TABLE log_event (            -- a line that a signature recognised
    node          INTEGER, capture INTEGER, boot INTEGER,
    sig           TEXT NOT NULL,    -- signature id
    event         TEXT,             -- its class word
    severity      TEXT,
    subject_kind  TEXT, subject TEXT, -- as the line names it: ata 3, disk sda
    t_mono_s      REAL, t_s REAL,
    fields        TEXT,             -- named captures as a JSON object
    count         INTEGER,          -- lines folded into this row (storms keep the first and the last)
    last_t_mono_s REAL, last_t_s REAL, last_line INTEGER,
    src INTEGER, line INTEGER
);
CREATE TABLE episode (              -- one round of ATA error handling: all its lines joined by port and time, and decoded. Rounds of one
                                    -- class less than a minute apart are one row (a storm)
    node          INTEGER, capture INTEGER, boot INTEGER,
    subject       TEXT, port TEXT,  -- ata3.00 of ata3; ada0 of ada0; hda of hda
    class         TEXT,             -- wire: bits damaged on the way. link: it went away and came back. timeout: no answer, the wire
                                    -- quiet. interrupt: no answer because of a lost interrupt. media: unreadable sector. host-bus:
                                    -- DMA or the controller's own side. address, fault, protocol, refused: what the drive answered.
                                    -- rejected: only commands of monitoring. multiplier, reset, unknown; mixed: beyond the limit
    phase         TEXT,             -- boot, resume (a minute around them), run; NULL: the log has no times
    count         INTEGER,          -- rounds
    first_mono_s REAL, last_mono_s REAL, first_s REAL, last_s REAL,
    per_hour      REAL,             -- rounds per hour of a storm
    emask INTEGER, serr INTEGER, action INTEGER, frozen INTEGER, -- or-ed; NULL: no exception line
    serror        TEXT,             -- the bits of serr in words: PHYRdyChg CommWake
    busy          INTEGER,          -- 1: a drive that answered Busy
    command TEXT, commands INTEGER, -- the first command that failed, before those of monitoring; how many
    resets INTEGER,
    limits        INTEGER,          -- speed or queueing was reduced so many times
    devices       INTEGER,          -- devices of the port that were named
    outcome       TEXT,             -- recovered, gave up, disabled; NULL: the end is not there
    lines INTEGER, last_line INTEGER, src INTEGER, line INTEGER
);
CREATE TABLE log_window (           -- what a log covers: absence of a line is worth this window and no more
    capture INTEGER, boot INTEGER,
    first_mono_s REAL, last_mono_s REAL, first_s REAL, last_s REAL,
    start_present INTEGER,          -- 1: the first line is from the start of the boot
    user_space_mono_s REAL,         -- when init started, if seen
    suppressed    INTEGER,          -- lines the kernel says it dropped
    lines         INTEGER, boot_id TEXT, -- as journalctl prints it, "-- Boot 5a1f0c3e77b24d19... --"
    src INTEGER, line INTEGER
);
CREATE TABLE pressure (             -- PSI
    capture INTEGER, t_s REAL, resource TEXT, kind TEXT, -- io cpu memory; some full
    avg10_pct REAL, avg60_pct REAL, avg300_pct REAL, total_us REAL, src INTEGER, line INTEGER
);
CREATE TABLE pool (                 -- ZFS pools
    node INTEGER, capture INTEGER, name TEXT, guid TEXT, state TEXT, status TEXT, action TEXT, see TEXT,
    errors TEXT, data_errors INTEGER, -- 0: "No known data errors"
    size_bytes INTEGER, alloc_bytes INTEGER, capacity_pct REAL, fragmentation_pct REAL,
    status_line INTEGER, errors_line INTEGER, -- lines of those texts in src
    src INTEGER, line INTEGER
);
CREATE TABLE vdev (                 -- rows of `zpool status`: vdevs and leaves
    node          INTEGER, capture INTEGER, -- a leaf's node is its drive
    pool          INTEGER, parent INTEGER,  -- nodes; parent NULL for the pool's own row
    name          TEXT, type TEXT,  -- mirror raidz1 raidz2 raidz3 draid replacing spare root disk file
    class         TEXT,             -- data log cache special dedup spare
    is_leaf       INTEGER, state TEXT,
    read_errors INTEGER, write_errors INTEGER, cksum_errors INTEGER, slow_ios INTEGER,
    text          TEXT,             -- what stands behind the counters
    guid TEXT, path TEXT, was TEXT,
    matched_by    TEXT,             -- how a leaf was tied to a drive of the capture: name guid devid path; NULL: it was not
    trim_state    TEXT,             -- untrimmed trimming suspended completed unsupported
    trim_pct      REAL, trim_start_s REAL, trim_end_s REAL,
    src INTEGER, line INTEGER
);
CREATE TABLE pool_scan (            -- scrub, resilver, rebuild, removal, expansion
    node INTEGER, capture INTEGER, kind TEXT,
    state         TEXT,             -- running paused finished canceled none
    start_s REAL, end_s REAL, done_pct REAL, repaired_bytes REAL, errors INTEGER,
    scanned_bytes_s REAL, issued_bytes_s REAL, to_go_s REAL, no_estimate INTEGER, text TEXT, src INTEGER, line INTEGER
);
CREATE TABLE pool_event (           -- what ZFS remembers itself: zpool events (since its module was loaded), zpool history (since the pool was made)
    node          INTEGER, capture INTEGER, -- the pool; NULL where `zpool events` was asked without -v
    member        INTEGER,          -- the drive that is named; NULL: none
    what          TEXT,             -- command: somebody's command; created imported; scan-start scan-end scan-restart scan-cancel; delay deadman: an I/O that took
                                    -- too long; checksum io probe-failure io-failure; state: a member's state changed; removed; label: it could not be used
    scan          TEXT,             -- of a scan: scrub or resilver
    t_s REAL,
    delay_ms      REAL,             -- of a slow I/O: how long it took
    state         TEXT,             -- the new state of the member: FAULTED
    origin        TEXT,             -- events or history: both may tell of one thing
    text          TEXT,             -- the command, or the words of ZFS
    src INTEGER, line INTEGER
);
CREATE TABLE raid_array (           -- md arrays and hardware RAID volumes
    node INTEGER, capture INTEGER, name TEXT, kind TEXT, level TEXT, state TEXT,
    raid_disks INTEGER, active_disks INTEGER, failed_disks INTEGER, spare_disks INTEGER,
    sync_action TEXT, sync_pct REAL, write_policy TEXT, src INTEGER, line INTEGER
);
CREATE TABLE mount (
    node INTEGER, capture INTEGER, source TEXT, mountpoint TEXT, fstype TEXT, options TEXT,
    size_bytes REAL, used_pct REAL, inodes_used_pct REAL, src INTEGER, line INTEGER
);
CREATE TABLE btrfs_fs (             -- a btrfs file system as `btrfs filesystem show` lists it
    node          INTEGER,          -- the first of its devices that is there
    capture INTEGER, uuid TEXT, label TEXT,
    devices INTEGER, present INTEGER, missing INTEGER, src INTEGER, line INTEGER
);
CREATE TABLE btrfs_space (          -- block groups of a btrfs file system; without a mount point known, node is the host
    node INTEGER, capture INTEGER,
    kind          TEXT,             -- data metadata system mixed reserve; unallocated (of one device); missing (of the whole)
    profile       TEXT,             -- single dup raid0 raid1 raid1c3 raid10 raid5 raid6
    device        TEXT,             -- of `unallocated`
    size_bytes REAL, used_bytes REAL, src INTEGER, line INTEGER
);
CREATE TABLE ceph_osd (             -- what one output says of an OSD; several rows per OSD
    capture INTEGER, osd INTEGER, host TEXT,
    class         TEXT,             -- hdd ssd nvme
    up INTEGER, weight REAL,        -- weight 0: out
    commit_ms REAL, apply_ms REAL, used_pct REAL, pgs INTEGER,
    device TEXT, device_id TEXT,    -- sda, MODEL_SERIAL (ceph device ls)
    src INTEGER, line INTEGER
);
CREATE TABLE ceph_check (           -- health checks: one row per check and detail line, and per OSD that it names
    capture INTEGER, code TEXT, severity TEXT, text TEXT, detail INTEGER, osd INTEGER, src INTEGER, line INTEGER
);
CREATE TABLE nfs_op (               -- what a client measured of a mount, per operation
    node INTEGER, capture INTEGER, source TEXT, mountpoint TEXT,
    op            TEXT,             -- read write, or the name of the procedure: COMMIT GETATTR
    report        INTEGER,          -- 0: average since it was mounted; 1, 2 ... intervals of nfsiostat
    ops REAL, ops_s REAL, retrans REAL, -- ops: requests since it was mounted
    rtt_ms REAL, exe_ms REAL, queue_ms REAL, -- from sending to the answer; the whole; before it was sent
    src INTEGER, line INTEGER
);
CREATE TABLE iscsi_session (        -- one row per disk of a session; node NULL where the disks were not listed
    node INTEGER, capture INTEGER, sid TEXT, target TEXT, portal TEXT,
    connection_state TEXT, session_state TEXT, recovery_timeout_s INTEGER, disk TEXT, disk_state TEXT, src INTEGER, line INTEGER
);
CREATE TABLE drbd_volume (          -- one row per volume and peer
    node INTEGER, capture INTEGER, resource TEXT, minor INTEGER, peer TEXT,
    connection TEXT, role TEXT, peer_role TEXT, disk TEXT, peer_disk TEXT, replication TEXT, -- in DRBD's words: Connected UpToDate Established
    protocol      TEXT,             -- A B C
    pending INTEGER, unacked INTEGER, lower_pending INTEGER, upper_pending INTEGER, -- pe ua lo ap of /proc/drbd: requests in flight
    out_of_sync_bytes REAL, sync_pct REAL, sync_bytes_s REAL, congested INTEGER, src INTEGER, line INTEGER
);
CREATE TABLE file_layout (          -- files whose extents or attributes somebody looked at
    node INTEGER, capture INTEGER, path TEXT,
    extents INTEGER, nocow INTEGER, -- nocow: 1 with the attribute C (lsattr), 0 without
    src INTEGER, line INTEGER
);
CREATE TABLE benchmark (            -- a measurement somebody made on purpose: dd, hdparm -t, fio
    node INTEGER, capture INTEGER, tool TEXT, label TEXT,
    rw TEXT, block_bytes INTEGER,   -- read write randread randwrite
    direct INTEGER, sync TEXT,      -- none dsync fsync fdatasync
    data TEXT,                      -- zero random file unknown: where the bytes came from
    target TEXT, bytes REAL, seconds REAL, mb_s REAL, iops REAL,
    lat_mean_ms REAL, lat_p50_ms REAL, lat_p95_ms REAL, lat_p99_ms REAL, lat_p999_ms REAL, lat_max_ms REAL, -- of single I/Os, until completion
    outstanding REAL,               -- I/Os in flight: queue depth times jobs
    measures TEXT,                  -- in words, what this run really measured
    src INTEGER, line INTEGER
);
CREATE TABLE interrupt (            -- lines of /proc/interrupts that have a number
    capture INTEGER, irq TEXT,
    total         REAL,             -- since boot, all CPUs together
    busiest       REAL,             -- the CPU that took most of them
    cpus          INTEGER,
    chip          TEXT,             -- IR-IO-APIC, IR-PCI-MSI ...
    devices       TEXT,             -- who uses the line: "i801_smbus, ata_piix", "ahci[0000:00:17.0]"
    src INTEGER, line INTEGER
);
CREATE TABLE process_io (           -- who reads and writes: pidstat, iotop; of a long capture the rows with the most bytes
    capture       INTEGER, t_s REAL,
    pid           INTEGER,          -- of the thread where the tool lists threads
    command       TEXT, read_bytes_s REAL, write_bytes_s REAL,
    io_wait_pct   REAL,             -- share of its time that it waited for I/O
    tool TEXT,
    job           TEXT,             -- kind of job, by the program: backup trim ..., as in table job; NULL: no such program
    src INTEGER, line INTEGER
);
CREATE TABLE job (                  -- work that comes by itself: what timers, crontabs and task lists say of it
    node INTEGER, capture INTEGER,  -- the machine
    kind          TEXT,             -- scrub trim check backup verify gc prune sync balance index scan daily; copy: a program that people also start by hand;
                                    -- NULL: none that loads storage
    name TEXT, target TEXT,         -- unit, command or task; what a task works on: a guest, a datastore
    told_by       TEXT,             -- timer cron task; ps: a program that was seen running
    state         TEXT,             -- of a task: running finished unknown; of a crontab line: conditional, it runs on some of those days only
    start_s REAL, end_s REAL,       -- when it began last; of a crontab line: when it was due last before the capture's end
    next_s        REAL,
    schedule      TEXT,             -- the five fields of a crontab line, or @daily
    local_start_s REAL, local_end_s REAL, -- stamps without a zone; start_s and end_s follow where the capture's zone is known
    src INTEGER, line INTEGER
);
CREATE TABLE store (                -- a storage of Proxmox VE or a datastore of Proxmox Backup Server, as configured
    capture INTEGER, kind TEXT,     -- pve pbs
    type          TEXT,             -- dir nfs cifs zfspool lvmthin ...; NULL of a datastore
    name TEXT, path TEXT, pool TEXT, server TEXT, -- pool: dataset of ZFS, or volume group and thin pool
    content TEXT, gc_schedule TEXT, disabled INTEGER, src INTEGER, line INTEGER
);
CREATE TABLE swap (                 -- where memory is swapped to
    node INTEGER, capture INTEGER,  -- the disk or partition; NULL for a file or compressed memory
    name TEXT, type TEXT,           -- device file zvol zram
    size_bytes REAL, used_bytes REAL, src INTEGER, line INTEGER
);
CREATE TABLE guest (                -- virtual machines and containers as their hypervisor's configuration describes them
    capture       INTEGER, kind TEXT, -- vm container
    name          TEXT,             -- for words: "VM 104 (mail)", "container 210"
    lock          TEXT,             -- what the hypervisor is doing to it: backup snapshot migrate ...
    snapshots     INTEGER,          -- that the configuration lists; NULL: such a listing was not printed
    src INTEGER, line INTEGER
);
CREATE TABLE guest_disk (           -- their disks; no CD-ROM drives, no disks of firmware variables
    capture       INTEGER, guest TEXT, -- guest.name
    slot          TEXT,             -- scsi0 sata1 vda rootfs mp0
    interface     TEXT,             -- ide sata scsi virtio nvme usb; NULL for containers
    controller    TEXT,             -- model of the SCSI adapter: virtio-scsi-single virtio-scsi-pci lsi lsilogic ...
    source        TEXT,             -- volume or file: local-lvm:vm-104-disk-0
    format        TEXT,             -- raw qcow2 vmdk
    size_bytes    REAL,
    cache         TEXT,             -- none writeback writethrough directsync unsafe; NULL: the default
    discard       INTEGER,          -- 1: passed on
    iothread      INTEGER,          -- 1: has one of its own
    limits        TEXT,             -- rates it is held to, as printed: mbps_wr=50, iops=500
    layers        INTEGER,          -- files it is made of, with all below it; NULL: not printed
    src INTEGER, line INTEGER
);
CREATE TABLE guest_image (          -- disk images as qemu-img info shows them; one row per chain
    capture       INTEGER, image TEXT, format TEXT,
    layers        INTEGER,          -- files of the chain that were seen
    complete      INTEGER,          -- 1: the last of them rests on no other
    snapshots     INTEGER,          -- inside the uppermost file
    src INTEGER, line INTEGER
);
CREATE TABLE cgroup_io (            -- control groups: what holds their I/O back, and how long they waited
    capture       INTEGER, node INTEGER, -- the disk, where its number tells it
    cgroup        TEXT,             -- system.slice/backup.service; '' for the root
    device        TEXT,             -- 8:16
    file          TEXT,             -- io.max io.latency io.cost.qos io.pressure; io.max also for limits of v1 and of systemd units
    name          TEXT,             -- rbps wbps riops wiops; target_us; enable; some_avg60_pct full_avg60_pct
    value         REAL, src INTEGER, line INTEGER
);
CREATE TABLE series (               -- one per device and tool; the values stand behind the virtual table `sample`
    id INTEGER PRIMARY KEY, node INTEGER, capture INTEGER, tool TEXT, src INTEGER, header_line INTEGER,
    line_first INTEGER, line_last INTEGER, n INTEGER, first_s REAL, last_s REAL, interval_s REAL,
    has_time INTEGER, bucket_s REAL -- bucket_s: width after folding, NULL while every sample is kept
);
-- A lone first report of iostat or zpool iostat: the average since boot or import. Magnitude only.
-- Columns of `lifetime` behind the first seven, and of the virtual table `sample`, are metrics.def, in its order.
-- CREATE TABLE sample (capture, node, tool, t, dt_s, <metrics>, n, n_busy, n_r_ge5, n_r_ge10, n_r_ge40, n_w_ge5, n_w_ge10,
--                      n_w_ge40, src, line, worst): what the columns say, and `worst = 1`, stand in samples_sql.c
-- CREATE TABLE lifetime (node, capture, tool, since, alone, src, line, <metrics>)

CREATE TABLE distribution (         -- one row per device, tool and metric
    node INTEGER, capture INTEGER, tool TEXT, metric TEXT, -- metric: a column of sample
    basis TEXT,                     -- '1s averages' ('Ns averages'), 'lifetime average', 'io percentiles'
    n INTEGER, mean REAL, p50 REAL, p95 REAL, p99 REAL, p999 REAL, max REAL, -- a quantile is NULL where n(1-q) < 5
    max_s REAL,
    n_busy INTEGER,                 -- samples with >= 5 I/Os per second of that direction
    busy_p50 REAL,                  -- median over those
    n_busy_ge5 INTEGER, n_busy_ge10 INTEGER, n_busy_ge40 INTEGER, -- latencies: busy samples at or above 5, 10, 40 ms
    src INTEGER, line INTEGER,      -- a row of it: the first
    worst_line INTEGER              -- line of the maximum
);
CREATE TABLE peer (                 -- a drive beside its like at the same moments: peers.c
    capture INTEGER, drive INTEGER, metric TEXT, peer_group INTEGER, group_label TEXT, members INTEGER,
    ratio REAL, share REAL, excess_ms REAL, n_busy INTEGER,
    load_ratio    REAL,             -- reads and writes per second over those of its peers
    deviation     REAL,             -- (drive - median of all) / spread; NULL with fewer than 3 peers
    value_ms REAL, peers_ms REAL,   -- medians of the drive and of its peers over the same moments
    tool          TEXT,             -- whose samples
    group_kind    TEXT,             -- vdev pool array filesystem class controller; the last is for slow-group-common only
    grade         REAL,             -- how sure it is that members of the group should be alike: 0.9 down to 0.6
    iops REAL, bytes_s REAL, util_pct REAL, aqu_sz REAL, -- medians of the drive over the same moments
    peers_iops REAL, peers_bytes_s REAL,
    correlation   REAL              -- of its waits with those of its peers; NULL with fewer than 20 moments
);
CREATE TABLE write_run (            -- a long stretch of writing, and whether the rate collapsed in it: write_runs.c
    node INTEGER, capture INTEGER, tool TEXT,
    seconds REAL, bytes REAL,       -- of the whole run
    first_mb_s    REAL,             -- its first 30 s
    late_mb_s     REAL,             -- after the fall; without one, the rest of the run
    fell_after_s  REAL, fell_after_bytes REAL, -- NULL: the rate did not collapse
    low_s         REAL,             -- how long it stayed low
    first_wait_ms REAL, late_wait_ms REAL, -- w_await
    fall_line     INTEGER,          -- row of the fall: for words, its text is not kept
    src INTEGER, line INTEGER,      -- a row of the series: the first
    worst_line    INTEGER           -- the row with the longest write wait
);
CREATE TABLE spike_rhythm (         -- slow moments of a drive that come at regular intervals: spike_rhythm.c
    node INTEGER, capture INTEGER, tool TEXT, metric TEXT, -- metric: w_await_ms r_await_ms
    period_s REAL, spikes INTEGER,
    regular       REAL,             -- part of the distances that are about period_s
    spike_ms REAL, usual_ms REAL,   -- median of the spikes' highest waits; median of all waits
    with_discards REAL, other_discards REAL, -- part of the slow and of the other samples with discards among the requests
    src INTEGER, line INTEGER, second_line INTEGER -- rows where the first two spikes begin
);
CREATE TABLE model_fact (           -- what rules/models knows of a drive, controller, bridge or platform
    node INTEGER, capture INTEGER, fact TEXT, value TEXT, model_id TEXT, certainty REAL, source TEXT
);
CREATE TABLE stated_model (         -- what rules/models knows of a model that the reader's prose alone names, of the one drive whose model no output
                                    -- tells, or of the host: a finding that cites src, line is never more than possible
    node INTEGER, capture INTEGER, name TEXT, fact TEXT, value TEXT, model_id TEXT, certainty REAL, source TEXT, src INTEGER, line INTEGER
);
CREATE TABLE finding (              -- filled while rules run; later pages may read it
    rule TEXT, kind TEXT, symptom TEXT, capture INTEGER, node INTEGER, answer TEXT, -- found ruled-out
    confidence REAL, value REAL, unit TEXT, threshold REAL, magnitude REAL, basis TEXT
);

-- Peer outliers by the one definition: `slow` = 1 where ratio, share, excess, load and deviation all say so. rank 1 is the
-- comparison that speaks for its drive: a slow one before others, likest peers first. A tool with 20 busy moments is believed
-- before one with fewer, the kernel before the pool. A class counts only where the drive has no likelier peers.
CREATE VIEW outlier AS
WITH known AS (
    SELECT p.*, d.media, d.class_mb_s, d.class_iops,
           CASE WHEN p.metric IN ('w_await_ms', 'disk_wait_write_ms') THEN 'write' ELSE 'read' END AS direction,
           p.tool LIKE 'zpool%' AS by_pool, CASE d.media WHEN 'nvme' THEN 2 WHEN 'hdd' THEN 10 ELSE 5 END AS least_ms
    FROM peer p JOIN drive d ON d.node = p.drive AND d.capture = p.capture
    WHERE p.n_busy >= 2 AND p.group_kind <> 'controller' AND coalesce(d.is_virtual, 0) = 0
), told AS (
    SELECT *, row_number() OVER (PARTITION BY capture, drive, direction, group_kind, peer_group, group_label
                                 ORDER BY min(n_busy, 20) DESC, by_pool, n_busy DESC, tool) AS teller,
           coalesce(util_pct >= 80 AND bytes_s < 0.2e6 * class_mb_s AND iops < 0.2 * class_iops, 0) AS slow_itself
    FROM known
), judged AS (
    SELECT *, ratio >= 3 AND excess_ms >= least_ms AND share >= 0.5 AND load_ratio <= 1.5 AND coalesce(deviation > 5, 1) AS slow,
           (grade * CASE WHEN ratio >= 5 THEN 1 ELSE 0.85 END + 0.03 * slow_itself)
               * CASE WHEN n_busy < 20 THEN 0.7 ELSE 1 END * CASE WHEN by_pool THEN 0.8 ELSE 1 END AS confidence,
           max(grade) OVER (PARTITION BY capture, drive) AS best_grade
    FROM told WHERE teller = 1
)
SELECT *, row_number() OVER (PARTITION BY capture, drive ORDER BY slow DESC, CASE WHEN slow THEN confidence ELSE grade END DESC, grade DESC,
                             group_kind = 'vdev' DESC, direction = 'write' DESC, n_busy DESC, group_label) AS rank
FROM judged WHERE grade > 0.6 OR best_grade <= 0.6;

-- The captures of an upload, the oldest first. Where one of them has no time they stand as they were opened.
CREATE VIEW capture_in_order AS
SELECT c.*, row_number() OVER (PARTITION BY c.bundle ORDER BY CASE WHEN u.bundle IS NULL THEN coalesce(c.end_s, c.start_s) END, c.id) AS place
FROM capture c LEFT JOIN (SELECT DISTINCT bundle FROM capture WHERE coalesce(end_s, start_s) IS NULL) u ON u.bundle = c.bundle;

-- Lines that speak of damaged transfers. Those of a link that went away at that moment speak of its fall instead: what a receiver
-- decodes meanwhile is no bit error of the cable.
CREATE VIEW wire_error AS
SELECT l.* FROM log_event l
WHERE l.event IN ('icrc', 'link-bit-errors', 'ata-bus-error')
  AND NOT EXISTS (SELECT 1 FROM episode e WHERE e.capture = l.capture AND e.node = l.node AND e.class = 'link' AND e.src = l.src AND l.line BETWEEN e.line AND e.last_line);

-- ---------------------------------------------------------------- drives slower than their peers
-- What the pages of slow drives say alike, whoever the peers are (`group_kind`): each page shows its own kinds.

-- The peers of a comparison that speaks for its drive.
CREATE VIEW slow_peer AS
SELECT DISTINCT o.capture, o.drive, p.drive AS peer
FROM outlier o JOIN peer p ON p.capture = o.capture AND p.drive <> o.drive AND p.group_kind = o.group_kind AND p.group_label = o.group_label
     AND p.metric = o.metric AND p.tool = o.tool
WHERE o.rank = 1 AND o.slow = 1;

-- What may make it slow; the first with evidence (rank 1) is named. src and line are NULL where its model speaks.
CREATE VIEW slow_reason AS
WITH one AS MATERIALIZED (SELECT capture, drive, media, direction FROM outlier WHERE rank = 1 AND slow = 1),
mate AS MATERIALIZED (SELECT * FROM slow_peer),
cache AS MATERIALIZED ( -- the drive's own word before the kernel's, the later before the earlier
    SELECT s.capture, s.node, s.value, s.src, s.line,
           row_number() OVER (PARTITION BY s.capture, s.node ORDER BY s.view <> 'drive', coalesce(o.tool, '') = 'kernel-log', s.src DESC, s.line DESC) AS rank
    FROM setting s LEFT JOIN source o ON o.id = s.src WHERE s.key = 'write_cache' AND coalesce(s.boot, 0) = 0
), inside AS (
    SELECT o.capture, o.drive, 1 AS ord, 'It gets one command at a time (queue depth 1) and its peers more: see why.' AS words, s.src, s.line
    FROM one o JOIN setting s ON s.capture = o.capture AND s.node = o.drive AND s.key IN ('queue_depth', 'ncq_depth') AND CAST(s.value AS INTEGER) <= 1 AND coalesce(s.boot, 0) = 0
    WHERE EXISTS (SELECT 1 FROM mate m JOIN setting t ON t.capture = m.capture AND t.node = m.peer AND t.key = s.key AND CAST(t.value AS INTEGER) > 1
                  WHERE m.capture = o.capture AND m.drive = o.drive)
    UNION ALL
    SELECT o.capture, o.drive, 2, 'Its write cache is off while those of its peers are on: switch it on first; these waits are what that costs.', c.src, c.line
    FROM one o JOIN cache c ON c.capture = o.capture AND c.node = o.drive AND c.rank = 1 AND c.value = 'off'
    WHERE EXISTS (SELECT 1 FROM mate m JOIN cache k ON k.capture = m.capture AND k.node = m.peer AND k.rank = 1 AND k.value = 'on' WHERE m.capture = o.capture AND m.drive = o.drive)
    UNION ALL
    SELECT o.capture, o.drive, 3, 'Its link loses bits (the kernel log says so): look at cable and plugs first.', l.src, l.line
    FROM one o JOIN wire_error l ON l.capture = o.capture AND l.node = o.drive
    UNION ALL
    SELECT o.capture, o.drive, 4, 'Its medium has errors: it repeats reads and moves sectors meanwhile.', c.src, c.line
    FROM one o JOIN media_counter c ON c.capture = o.capture AND c.node = o.drive AND c.value > 0 AND c.what <> 'moved'
    UNION ALL
    SELECT o.capture, o.drive, 4, 'Its medium has errors: it repeats reads and moves sectors meanwhile.', l.src, l.line
    FROM one o JOIN log_event l ON l.capture = o.capture AND l.node = o.drive AND l.event = 'medium-error'
    UNION ALL
    SELECT o.capture, o.drive, 4, 'It saves data by reading again and again, as the log says: places of its medium weaken.', s.src, s.line
    FROM one o JOIN sense_seen s ON s.capture = o.capture AND s.node = o.drive AND s.asc IN ('17', '18')
    UNION ALL
    SELECT o.capture, o.drive, 5, 'It is ' || s.value || ' degrees Celsius warm, where drives brake themselves: cool it first.', s.src, s.line
    FROM one o JOIN setting s ON s.capture = o.capture AND s.node = o.drive AND s.key = 'temperature_celsius' AND coalesce(s.boot, 0) = 0
         AND CAST(s.value AS REAL) >= CASE o.media WHEN 'hdd' THEN 60 WHEN 'nvme' THEN 80 ELSE 70 END
    UNION ALL
    SELECT o.capture, o.drive, 6, 'Its model writes shingled tracks (SMR), which cannot take sustained writes.', NULL, NULL
    FROM one o JOIN model_fact f ON f.capture = o.capture AND f.node = o.drive AND f.fact = 'smr' AND f.value IN ('drive-managed', 'host-aware', 'host-managed')
    UNION ALL
    SELECT o.capture, o.drive, 7, CASE WHEN max(f.fact = 'flash') THEN 'Its model stores four bits per cell (QLC)' ELSE 'Its model has no DRAM' END
           || CASE WHEN max(f.certainty) < 0.7 THEN ', as far as is known' ELSE '' END
           || ': such SSDs fall far behind once their fast cache (SLC) is full, and recover when idle. That fits these figures, and is no proof.', NULL, NULL
    FROM one o JOIN model_fact f ON f.capture = o.capture AND f.node = o.drive AND ((f.fact = 'flash' AND f.value = 'qlc') OR (f.fact = 'dram' AND f.value = 'no'))
    WHERE o.direction = 'write' GROUP BY o.capture, o.drive
    UNION ALL
    SELECT o.capture, o.drive, 7.5, fmt('Its write rate collapsed meanwhile, from %.0f to %.0f MB/s at the same demand: its fast cache (SLC) is full, and it recovers when idle.', w.first_mb_s, w.late_mb_s), w.src, w.line
    FROM one o JOIN write_run w ON w.capture = o.capture AND w.node = o.drive AND w.fell_after_s IS NOT NULL WHERE o.direction = 'write' AND o.media IN ('ssd', 'nvme')
    UNION ALL
    SELECT o.capture, o.drive, 8, 'It was never trimmed and its peers were: trim it and measure again.', v.src, v.line
    FROM one o JOIN vdev v ON v.capture = o.capture AND v.node = o.drive AND v.is_leaf = 1 AND v.trim_state = 'untrimmed'
    WHERE EXISTS (SELECT 1 FROM mate m JOIN vdev w ON w.capture = m.capture AND w.node = m.peer AND w.is_leaf = 1 AND w.trim_state = 'completed' WHERE m.capture = o.capture AND m.drive = o.drive)
    UNION ALL
    SELECT o.capture, o.drive, 9, 'A fault of its firmware is known: ' || f.value || '.', NULL, NULL
    FROM one o JOIN model_fact f ON f.capture = o.capture AND f.node = o.drive AND f.fact = 'known_bad_firmware'
    UNION ALL
    SELECT o.capture, o.drive, 10, 'A self-test is running on it: wait for its end and measure again.', s.src, s.line
    FROM one o JOIN setting s ON s.capture = o.capture AND s.node = o.drive AND s.key = 'self_test_status' AND s.value = 'in-progress'
)
SELECT capture, drive, ord, words, src, line, row_number() OVER (PARTITION BY capture, drive ORDER BY ord, src, line) AS rank FROM inside;

-- Each slow drive with the figures of the comparison as the pages print them. `sure` is the confidence with what speaks against the
-- comparison taken off: a scan, rebuild or TRIM meanwhile and a job that only this drive has halve it; mates of an IDE channel make
-- each other slow, so below 0.3 nothing is said until the mode is changed; a cache that only this drive has off comes first.
CREATE VIEW slow_drive AS
WITH one AS (
    SELECT o.*, d.name, coalesce(d.model, d.name) AS who, d.wwn,
           EXISTS (SELECT 1 FROM place p LEFT JOIN pci_device x ON x.capture = p.capture AND x.bdf = p.bdf
                   WHERE p.capture = o.capture AND p.node = o.drive AND coalesce(p.boot, 0) = 0 AND coalesce(p.mode, x.mode) = 'ide')
           OR EXISTS (SELECT 1 FROM setting s WHERE s.capture = o.capture AND s.node = o.drive AND s.key = 'sata_mode_seen' AND s.value = 'ide' AND coalesce(s.boot, 0) = 0) AS ide,
           coalesce((SELECT min(s.kind) FROM pool_scan s JOIN reach r ON r.capture = s.capture AND r.above = s.node
                     WHERE s.capture = o.capture AND r.below = o.drive AND s.state = 'running'),
                    (SELECT 'TRIM' FROM vdev v JOIN vdev w ON w.capture = v.capture AND w.pool = v.pool AND w.trim_state = 'trimming' AND coalesce(w.trim_pct, 0) < 100
                     WHERE v.capture = o.capture AND v.node = o.drive AND v.is_leaf = 1 LIMIT 1),
                    (SELECT min(a.sync_action) FROM raid_array a JOIN reach r ON r.capture = a.capture AND r.above = a.node
                     WHERE a.capture = o.capture AND r.below = o.drive AND a.sync_action IN ('check', 'repair', 'resync', 'recovery', 'reshape'))) AS running,
           (SELECT min(n.label) FROM reach r JOIN node n ON n.id = r.above AND n.kind IN ('pool', 'array')
            WHERE r.capture = o.capture AND r.below = o.drive AND r.above <> o.peer_group
              AND NOT EXISTS (SELECT 1 FROM reach q WHERE q.capture = o.capture AND q.below = r.above AND q.above = o.peer_group)
              AND NOT EXISTS (SELECT 1 FROM reach q WHERE q.capture = o.capture AND q.below = o.peer_group AND q.above = r.above)
              AND NOT EXISTS (SELECT 1 FROM peer m JOIN reach q ON q.capture = m.capture AND q.below = m.drive AND q.above = r.above
                              WHERE m.capture = o.capture AND m.drive <> o.drive AND m.group_kind = o.group_kind AND m.group_label = o.group_label)) AS other_job
    FROM outlier o JOIN drive d ON d.node = o.drive AND d.capture = o.capture
    WHERE o.rank = 1 AND o.slow = 1
), reason AS MATERIALIZED (SELECT * FROM slow_reason)
SELECT o.capture, o.drive, o.name, o.peer_group, o.group_kind, o.group_label, o.members, o.grade, o.metric, o.tool,
       -- a scrub or a check reads all members of a set alike; a TRIM, a resilver and drives of several sets are no such equals
       round(min(o.confidence * CASE WHEN o.running IS NULL OR (o.running IN ('scrub', 'check') AND o.group_kind IN ('vdev', 'array')) THEN 1 ELSE 0.5 END * CASE WHEN o.other_job IS NOT NULL THEN 0.5 ELSE 1 END,
                 CASE WHEN o.ide THEN 0.29 WHEN EXISTS (SELECT 1 FROM reason i WHERE i.capture = o.capture AND i.drive = o.drive AND i.ord = 2) THEN 0.3 ELSE 1 END), 3) AS sure,
       o.who, coalesce(', WWN ' || o.wwn, '') AS identity, CASE o.direction WHEN 'write' THEN 'writes' ELSE 'reads' END AS what,
       printf('%.3g', o.value_ms) AS wait, printf('%.3g', o.peers_ms) AS peers_wait, printf(CASE WHEN o.ratio < 10 THEN '%.1f' ELSE '%.0f' END, o.ratio) AS times,
       CAST(round(100 * o.share) AS INTEGER) AS share, o.n_busy AS samples,
       CASE WHEN o.tool LIKE 'zpool%' THEN 'zpool iostat' WHEN o.tool = 'stordx-raw' THEN 'the counters of the collector' ELSE o.tool END AS tool_name,
       CASE WHEN o.iops IS NULL THEN 'an unknown rate' ELSE printf('%.3g requests/s', o.iops) || CASE WHEN o.bytes_s IS NULL THEN '' ELSE printf(' and %.3g MB/s', o.bytes_s / 1e6) END END AS rate,
       CASE WHEN o.peers_iops IS NULL THEN 'an unknown rate' ELSE printf('%.3g requests/s', o.peers_iops) || CASE WHEN o.peers_bytes_s IS NULL THEN '' ELSE printf(' and %.3g MB/s', o.peers_bytes_s / 1e6) END END AS peers_rate,
       CASE WHEN o.slow_itself THEN printf('It is %.3g %% busy with that, where its class does %d MB/s: slow itself, not overloaded.', o.util_pct, o.class_mb_s)
            WHEN o.util_pct IS NOT NULL THEN printf('It is %.3g %% busy with that.', o.util_pct)
            ELSE 'How busy it was is not in this table; iostat would say.' END AS busy,
       coalesce((SELECT k.words FROM reason k WHERE k.capture = o.capture AND k.drive = o.drive AND k.rank = 1),
                'What makes it slow is unknown: something inside the drive, or its port. Exchanging ports with a peer tells the two apart.') AS inside,
       nullif(trim(CASE WHEN o.n_busy < 20 THEN '; only ' || o.n_busy || ' busy samples' ELSE '' END
                   || CASE WHEN o.running IS NOT NULL THEN '; a ' || o.running || ' runs meanwhile' ELSE '' END
                   || CASE WHEN o.other_job IS NOT NULL THEN '; it alone also carries ' || o.other_job ELSE '' END
                   || CASE WHEN o.by_pool THEN '; only zpool iostat speaks' ELSE '' END, '; '), '') AS remark
FROM one o;

-- The lines that a finding about a slow drive rests on.
CREATE VIEW slow_drive_line AS
WITH one AS MATERIALIZED (SELECT capture, drive, metric, tool, group_kind FROM outlier WHERE rank = 1 AND slow = 1),
worst AS (
    SELECT o.capture, o.drive, m.peer, x.src, coalesce(x.worst_line, x.line) AS line, dense_rank() OVER (PARTITION BY o.capture, o.drive ORDER BY m.peer) AS rank
    FROM one o JOIN slow_peer m ON m.capture = o.capture AND m.drive = o.drive
    JOIN distribution x ON x.capture = o.capture AND x.node = m.peer AND x.metric = o.metric AND x.tool = o.tool AND x.basis <> 'lifetime average'
)
SELECT o.capture, o.drive, x.src, coalesce(x.worst_line, x.line) AS line
FROM one o JOIN distribution x ON x.capture = o.capture AND x.node = o.drive AND x.metric = o.metric AND x.tool = o.tool AND x.basis <> 'lifetime average'
UNION SELECT capture, drive, src, line FROM worst WHERE rank <= 3
UNION SELECT v.capture, o.drive, v.src, v.line FROM one o JOIN vdev v ON v.capture = o.capture AND v.node = o.drive AND v.is_leaf = 1 WHERE o.group_kind IN ('vdev', 'pool')
UNION SELECT capture, drive, src, line FROM slow_reason WHERE rank = 1 AND src IS NOT NULL AND line IS NOT NULL;

-- Drives that a comparison clears, in words: their waits are those of their peers, or they are busier and not slower. Mates of an IDE
-- channel make each other slow, so nothing is cleared there either.
CREATE VIEW cleared_drive AS
WITH fine AS MATERIALIZED (
    SELECT o.*, coalesce(d.name, d.model) AS name, o.load_ratio > 1.5 AND o.ratio >= 3 AS busier
    FROM outlier o JOIN drive d ON d.node = o.drive AND d.capture = o.capture
    WHERE o.rank = 1 AND o.slow = 0 AND o.n_busy >= 20 AND (o.ratio < 2 OR o.excess_ms < o.least_ms OR (o.load_ratio > 1.5 AND o.ratio >= 3))
      AND NOT EXISTS (SELECT 1 FROM place p LEFT JOIN pci_device x ON x.capture = p.capture AND x.bdf = p.bdf
                      WHERE p.capture = o.capture AND p.node = o.drive AND coalesce(p.boot, 0) = 0 AND coalesce(p.mode, x.mode) = 'ide')
), many AS (
    SELECT capture, group_kind, group_label, direction, busier, min(ratio) AS low, max(ratio) AS high, max(value_ms) AS wait_ms, min(n_busy) AS samples, min(load_ratio) AS load
    FROM fine GROUP BY capture, group_kind, group_label, direction, busier
)
SELECT f.capture, f.drive, f.name, f.group_kind, f.metric, f.tool,
       CASE WHEN f.busier THEN printf('it does %.1f times the requests of its peers in %s (%d busy samples): busier, not slower', m.load, f.group_label, m.samples)
            ELSE printf('its waits are %s times its peers'' in %s over %d busy samples (at most %.3g ms per %s)',
                        CASE WHEN m.high - m.low < 0.05 THEN printf('%.1f', m.high) ELSE printf('%.1f to %.1f', m.low, m.high) END, f.group_label, m.samples, m.wait_ms, f.direction) END AS reason
FROM fine f JOIN many m ON m.capture = f.capture AND m.group_kind = f.group_kind AND m.group_label = f.group_label AND m.direction = f.direction AND m.busier = f.busier;

-- Members of pools that are not ONLINE and stand for no drive, and the drive that has the serial number or WWN of a link which their row
-- or a label gives.
CREATE VIEW link_here AS
SELECT w.capture, w.node, d.node AS drive
FROM drive_name w JOIN drive d ON d.capture = w.capture
     AND ((length(d.serial) >= 4 AND substr(CASE WHEN instr(w.name, '-part') > 0 THEN substr(w.name, 1, instr(w.name, '-part') - 1) ELSE w.name END, -length(d.serial) - 1) = '_' || replace(d.serial, ' ', '_'))
          OR (w.name GLOB 'wwn-?*' AND wwn(w.name) = d.wwn))
WHERE w.kind = 'by-id' AND EXISTS (SELECT 1 FROM vdev v WHERE v.capture = w.capture AND v.node = w.node AND v.is_leaf = 1 AND v.state <> 'ONLINE')
  AND NOT EXISTS (SELECT 1 FROM drive x WHERE x.capture = w.capture AND x.node = w.node);

-- Members of pools that the machine really does not see, with the proof that they are absent (`how`): identity, no drive has the serial number
-- or WWN of its link; label, no unused drive carries a label of the pool; name, only its kernel name is gone; NULL, nothing proves it. `link`:
-- what it was, by its own link or the one that the label of a sibling remembers.
CREATE VIEW absent_member AS
WITH miss AS (
    SELECT v.capture, v.pool, v.node, v.name, max(v.state) AS state, max(v.was) AS was, max(v.path) AS path, max(v.guid) AS guid, max(coalesce(v.class, 'data')) AS class
    FROM vdev v
    WHERE v.is_leaf = 1 AND v.node IS NOT NULL AND v.pool IS NOT NULL AND coalesce(v.class, 'data') <> 'spare'
      AND (v.state = 'REMOVED' OR (v.state IN ('UNAVAIL', 'FAULTED') AND (v.text IS NULL OR v.text LIKE '%cannot open%' OR v.text LIKE '%was /%')))
      -- the old half of a replacement is meant to go
      AND NOT EXISTS (SELECT 1 FROM vdev u WHERE u.capture = v.capture AND u.node = v.parent AND u.is_leaf = 0 AND u.type = 'replacing')
    GROUP BY v.capture, v.pool, v.node, v.name
), lost AS MATERIALIZED (
    SELECT m.*, (SELECT p.name FROM pool p WHERE p.capture = m.capture AND p.node = m.pool LIMIT 1) AS pool_name,
           coalesce(CASE WHEN m.name GLOB 'ata-*' OR m.name GLOB 'scsi-*' OR m.name GLOB 'nvme-*' OR m.name GLOB 'usb-*' OR m.name GLOB 'wwn-?*' OR m.name GLOB 'diskid/*' THEN m.name END,
                    (SELECT n.name FROM drive_name n WHERE n.capture = m.capture AND n.node = m.node AND n.kind = 'by-id' AND n.name NOT GLOB 'wwn-*' ORDER BY n.name LIMIT 1),
                    (SELECT n.name FROM drive_name n WHERE n.capture = m.capture AND n.node = m.node AND n.kind = 'by-id' ORDER BY n.name LIMIT 1),
                    CASE WHEN coalesce(m.was, m.path) LIKE '/dev/disk/by-id/%' THEN substr(coalesce(m.was, m.path), 17) END) AS link
    FROM miss m
    WHERE NOT EXISTS (SELECT 1 FROM drive d WHERE d.node = m.node AND d.capture = m.capture)
), inventory AS ( -- a list of drives proves an absence only where it shows what drives are told apart by
    SELECT c.id AS capture, EXISTS (SELECT 1 FROM source o WHERE o.capture = c.id AND o.tool = 'by-id' AND o.status IN ('parsed', 'partial') AND o.rows > 0)
           AND EXISTS (SELECT 1 FROM drive_name n JOIN source o ON o.id = n.src AND o.tool = 'by-id' WHERE n.capture = c.id) AS links,
           EXISTS (SELECT 1 FROM source o WHERE o.capture = c.id AND o.tool IN ('lsblk', 'sysfs', 'camcontrol', 'geom') AND o.status IN ('parsed', 'partial')) AS list,
           (SELECT count(*) FROM drive d WHERE d.capture = c.id) AS drives,
           (SELECT count(*) FROM drive d WHERE d.capture = c.id AND d.wwn IS NULL) AS no_wwn,
           (SELECT count(*) FROM drive d WHERE d.capture = c.id AND d.serial IS NULL) AS no_serial
    FROM capture c WHERE c.id IN (SELECT capture FROM lost)
), listed AS ( -- members of this pool are among the file systems listed, and none of them is unused
    SELECT l.capture, l.pool, l.name FROM lost l
    WHERE EXISTS (SELECT 1 FROM setting s JOIN setting t ON t.capture = s.capture AND t.node = s.node AND t.key = 'fs_type' AND t.value = 'zfs_member'
                  WHERE s.capture = l.capture AND s.key = 'fs_label' AND s.value = l.pool_name)
      AND NOT EXISTS (SELECT 1 FROM setting s LEFT JOIN edge e ON e.capture = s.capture AND e.child = s.node
                      WHERE s.capture = l.capture AND s.key IN ('fs_label', 'zfs_pool_name') AND s.value = l.pool_name
                        AND NOT EXISTS (SELECT 1 FROM vdev u WHERE u.capture = l.capture AND u.pool = l.pool AND u.is_leaf = 1 AND u.state = 'ONLINE' AND u.node IN (s.node, e.parent)))
)
SELECT l.*, i.drives, CASE WHEN l.link IS NOT NULL AND (i.links OR (i.list AND (CASE WHEN l.link GLOB 'wwn-*' THEN i.no_wwn ELSE i.no_serial END) = 0)) THEN 'identity'
                           WHEN EXISTS (SELECT 1 FROM listed x WHERE x.capture = l.capture AND x.pool = l.pool AND x.name = l.name) THEN 'label'
                           WHEN l.link IS NULL AND i.list AND l.name GLOB '[sh]d[a-z]*' THEN 'name' END AS how
FROM lost l JOIN inventory i ON i.capture = l.capture
WHERE i.drives > 0 AND NOT EXISTS (SELECT 1 FROM link_here h WHERE h.capture = l.capture AND h.node = l.node);

-- What the kernel log of the capture's boot covers, in seconds and in words: that a line is missing is worth this and no more. The longest
-- log speaks; one that was asked for at capture time reaches up to it, though its last line is older.
CREATE VIEW log_cover AS
SELECT capture, s, src, line,
       'the kernel log covers ' || CASE WHEN s >= 86400 THEN (s / 86400) || ' d ' || (s % 86400 / 3600) || ' h'
                                        WHEN s >= 3600 THEN (s / 3600) || ' h ' || (s % 3600 / 60) || ' min'
                                        WHEN s >= 120 THEN (s / 60) || ' min' ELSE 'only ' || s || ' s' END
           || CASE WHEN whole = 0 THEN '; its start is cut off' ELSE '' END
           || CASE WHEN lost > 0 THEN '; ' || lost || ' lines were dropped by the kernel' ELSE '' END AS words
FROM (
    SELECT capture, CAST(s AS INTEGER) AS s, src, line, row_number() OVER (PARTITION BY capture ORDER BY s DESC, src, line) AS rank,
           max(coalesce(start_present, 0)) OVER (PARTITION BY capture) AS whole, CAST(max(coalesce(suppressed, 0)) OVER (PARTITION BY capture) AS INTEGER) AS lost
    FROM (SELECT w.*, max(coalesce(w.last_mono_s - w.first_mono_s, w.last_s - w.first_s, 0),
                          CASE WHEN o.command LIKE 'dmesg%' OR o.command LIKE 'journalctl%' THEN coalesce(c.uptime_s - w.first_mono_s, 0) ELSE 0 END) AS s
          FROM log_window w LEFT JOIN source o ON o.id = w.src LEFT JOIN capture c ON c.id = w.capture WHERE coalesce(w.boot, 0) = 0))
WHERE rank = 1 AND s > 0;

-- What the kernel log says of the USB device that a drive hangs on, and of the controller when it died. came_back: the device was
-- attached again afterwards at the same port, within a minute where the lines have times; another device there is a change by hand.
CREATE VIEW usb_event AS
WITH held AS MATERIALIZED (
    SELECT e.capture, e.parent AS path, e.child AS drive FROM edge e JOIN drive d ON d.node = e.child AND d.capture = e.capture AND d.bus = 'usb'
         JOIN node n ON n.id = e.parent AND n.kind = 'link'
    UNION SELECT capture, node, node FROM drive WHERE bus = 'usb'
)
SELECT l.capture, h.drive AS node, l.node AS path, coalesce(l.boot, 0) AS boot, l.event, l.severity, l.t_mono_s, l.t_s, coalesce(l.count, 1) AS count, l.fields, l.src, l.line,
       l.event = 'usb-disconnect' AND EXISTS (
           SELECT 1 FROM log_event n WHERE n.capture = l.capture AND n.node = l.node AND n.event IN ('usb-speed', 'usb-device') AND n.src = l.src AND n.line > l.line
             AND coalesce(n.t_mono_s - l.t_mono_s, n.t_s - l.t_s, 0) BETWEEN 0 AND 60)
           AND coalesce((SELECT coalesce(json_extract(o.fields, '$.product'), json_extract(o.fields, '$.vid') || json_extract(o.fields, '$.pid')) FROM log_event o
                         WHERE o.capture = l.capture AND o.node = l.node AND o.event = 'usb-device' AND o.src = l.src AND o.line < l.line ORDER BY o.line DESC LIMIT 1)
                        = (SELECT coalesce(json_extract(o.fields, '$.product'), json_extract(o.fields, '$.vid') || json_extract(o.fields, '$.pid')) FROM log_event o
                           WHERE o.capture = l.capture AND o.node = l.node AND o.event = 'usb-device' AND o.src = l.src AND o.line > l.line ORDER BY o.line LIMIT 1), 1) AS came_back
FROM held h JOIN log_event l ON l.capture = h.capture AND l.node = h.path
WHERE l.event IN ('usb-speed', 'usb-device', 'usb-reset', 'usb-disconnect', 'usb-overcurrent', 'usb-port-failed', 'usb-enumeration-failed', 'usb-not-top-speed',
                  'uas-not-used', 'usb-quirk', 'usb-storage-attached')
UNION ALL
SELECT l.capture, d.node, l.node, coalesce(l.boot, 0), l.event, l.severity, l.t_mono_s, l.t_s, coalesce(l.count, 1), l.fields, l.src, l.line, 0
FROM log_event l JOIN place p ON p.capture = l.capture AND p.controller = l.node AND coalesce(p.boot, 0) = 0
     JOIN drive d ON d.node = p.node AND d.capture = p.capture AND d.bus = 'usb'
WHERE l.event = 'usb-controller-died';

-- Drives on a USB 2 link whose USB device can do more: it says so itself, was seen faster in the same log, or its chip is known.
CREATE VIEW usb_slow_link AS
WITH link AS (
    SELECT s.capture, s.node, CAST(s.value AS REAL) AS gbps, s.src, s.line, row_number() OVER (PARTITION BY s.capture, s.node ORDER BY s.src DESC, s.line DESC) AS rank
    FROM setting s JOIN drive d ON d.node = s.node AND d.capture = s.capture AND d.bus = 'usb' WHERE s.key = 'link_gbps' AND coalesce(s.boot, 0) = 0 AND s.view = 'kernel'
), can AS (
    SELECT s.capture, s.node, 0.9 AS confidence, 'its own description lists SuperSpeed' AS capable, s.src, s.line, 1 AS ord
    FROM setting s WHERE s.key = 'usb_superspeed' AND s.value = 'yes' AND coalesce(s.boot, 0) = 0
    UNION ALL
    SELECT s.capture, s.node, 0.9, 'it describes itself as a USB ' || s.value || ' device' || CASE WHEN s.value = '2.10' THEN ', as a USB 3 one does on such a link' ELSE '' END, s.src, s.line, 2
    FROM setting s WHERE s.key = 'usb_version' AND CAST(s.value AS REAL) >= 2.1 AND coalesce(s.boot, 0) = 0
      -- a port, and FreeBSD's names with it, may have held another device before
      AND NOT EXISTS (SELECT 1 FROM setting t WHERE t.capture = s.capture AND t.node = s.node AND t.key = 'usb_version' AND t.src = s.src AND t.line > s.line)
    UNION ALL
    SELECT s.capture, e.child, 0.9, printf('it ran at %g Gbit/s before, in the same log', CAST(t.value AS REAL)), t.src, t.line, 3
    FROM setting s JOIN setting i ON i.capture = s.capture AND i.key = 'serial' AND i.value = s.value AND i.src = s.src AND i.node <> s.node
         JOIN setting t ON t.capture = i.capture AND t.node = i.node AND t.key = 'link_gbps' AND CAST(t.value AS REAL) >= 5 AND t.src = i.src
         JOIN edge e ON e.capture = s.capture AND e.parent = s.node
    WHERE s.key = 'serial' AND length(s.value) >= 6
    UNION ALL
    SELECT f.capture, f.node, 0.7, printf('its bridge (%s) is made for %g Gbit/s', f.model_id, CAST(f.value AS REAL)), NULL, NULL, 4
    FROM model_fact f WHERE f.fact = 'usb_gbps' AND CAST(f.value AS REAL) >= 5
), best AS (SELECT c.*, row_number() OVER (PARTITION BY capture, node ORDER BY confidence DESC, ord, src, line) AS rank FROM can c)
SELECT l.capture, l.node, l.gbps AS runs, b.confidence, b.capable, l.src, l.line, b.src AS can_src, b.line AS can_line
FROM link l JOIN best b ON b.capture = l.capture AND b.node = l.node AND b.rank = 1
WHERE l.rank = 1 AND l.gbps BETWEEN 0.1 AND 1;

-- How full the file systems on disks are: df says how full, and without -T not of which type; the type and whether it can be written
-- come from any row of the same mount. Pools are left out, their datasets show what the pool has, and so are small ones (below 1 GB).
CREATE VIEW filesystem_fill AS
WITH known AS (
    SELECT capture, node, max(used_pct) AS used_pct, max(size_bytes) AS size_bytes, max(fstype) AS fstype, max(',' || options || ',' LIKE '%,ro,%') AS read_only
    FROM mount WHERE node IS NOT NULL GROUP BY capture, node
)
SELECT k.*, m.src, m.line FROM known k JOIN mount m ON m.capture = k.capture AND m.node = k.node AND m.used_pct = k.used_pct
WHERE coalesce(k.size_bytes, 2e9) >= 1e9 AND k.fstype IN ('ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'ufs', 'f2fs', 'jfs', 'reiserfs', 'ntfs', 'ntfs3', 'exfat')
GROUP BY k.capture, k.node HAVING max(m.src) IS NOT NULL;

-- What btrfs counts of a device: `told` new, a line of this boot at the moment it happened; history, the line at mount; counter, the counters.
-- `drive` is the drive below the device, else the device itself.
CREATE VIEW btrfs_error AS
WITH raw AS (
    SELECT l.capture, l.node, CASE l.event WHEN 'btrfs-device-error' THEN 'new' ELSE 'history' END AS told, CAST(json_extract(l.fields, '$.wr') AS REAL) AS wr, CAST(json_extract(l.fields, '$.rd') AS REAL) AS rd,
           CAST(json_extract(l.fields, '$.fl') AS REAL) AS fl, CAST(json_extract(l.fields, '$.cor') AS REAL) AS co, CAST(json_extract(l.fields, '$.gen') AS REAL) AS ge, l.src, l.line
    FROM log_event l WHERE coalesce(l.boot, 0) = 0 AND l.event IN ('btrfs-device-error', 'btrfs-error-history') AND l.node IS NOT NULL AND json_valid(l.fields)
    UNION ALL
    SELECT c.capture, c.node, 'counter', max(CASE c.name WHEN 'write_io_errs' THEN c.value END), max(CASE c.name WHEN 'read_io_errs' THEN c.value END), max(CASE c.name WHEN 'flush_io_errs' THEN c.value END),
           max(CASE c.name WHEN 'corruption_errs' THEN c.value END), max(CASE c.name WHEN 'generation_errs' THEN c.value END), c.src, first_line(c.src, c.line)
    FROM counter c WHERE c.kind = 'btrfs' AND c.node IS NOT NULL GROUP BY c.capture, c.node, c.src
)
SELECT x.*, coalesce((SELECT min(r.below) FROM reach r JOIN drive d ON d.capture = r.capture AND d.node = r.below WHERE r.capture = x.capture AND r.above = x.node), x.node) AS drive, n.label AS device,
       coalesce(x.wr, 0) + coalesce(x.rd, 0) + coalesce(x.fl, 0) + coalesce(x.co, 0) + coalesce(x.ge, 0) AS total
FROM raw x JOIN node n ON n.id = x.node;

-- Blocks that btrfs found damaged in this boot, at the file system where it is known: mended from another copy, or lost.
CREATE VIEW btrfs_block AS
SELECT l.capture, coalesce((SELECT min(m.node) FROM reach r JOIN mount m ON m.capture = r.capture AND m.node = r.above AND m.fstype = 'btrfs' WHERE r.capture = l.capture AND r.below = l.node), l.node, h.node) AS node,
       json_extract(l.fields, '$.what') LIKE '%unable to fixup%' AS lost, coalesce(l.count, 1) AS count, l.src, l.line
FROM log_event l JOIN host h ON h.capture = l.capture
WHERE coalesce(l.boot, 0) = 0 AND l.event = 'btrfs-corrected' AND json_valid(l.fields) AND json_extract(l.fields, '$.what') <> 'forced readonly';

-- btrfs file systems of several devices, at the file system where it is mounted, else at the first device that is there. lack: 1, a device is
-- missing; 0, all are there; NULL, only the mount option `degraded` speaks. told: 'show', 'log', 'option'.
CREATE VIEW btrfs_devices AS
SELECT b.capture, coalesce((SELECT min(m.node) FROM reach r JOIN mount m ON m.capture = r.capture AND m.node = r.above AND m.fstype = 'btrfs' WHERE r.capture = b.capture AND r.below = b.node), b.node, h.node) AS node,
       coalesce(b.label, substr(b.uuid, 1, 8)) AS name, b.devices, b.present, coalesce(b.missing, 0) AS lack, 'show' AS told, b.src, b.line
FROM btrfs_fs b JOIN host h ON h.capture = b.capture
WHERE b.devices > 1 OR b.missing = 1
UNION ALL
SELECT l.capture, coalesce((SELECT min(m.node) FROM reach r JOIN mount m ON m.capture = r.capture AND m.node = r.above AND m.fstype = 'btrfs' WHERE r.capture = l.capture AND r.below = l.node), l.node, h.node),
       coalesce(l.subject, 'btrfs'), NULL, NULL, 1, 'log', l.src, l.line
FROM log_event l JOIN host h ON h.capture = l.capture WHERE coalesce(l.boot, 0) = 0 AND l.event = 'btrfs-device-missing'
UNION ALL
SELECT m.capture, m.node, m.mountpoint, NULL, NULL, NULL, 'option', m.src, m.line
FROM mount m WHERE m.fstype = 'btrfs' AND m.node IS NOT NULL AND ',' || m.options || ',' LIKE '%,degraded,%';

-- Room for metadata of a btrfs: what its block groups hold, what is reserved of them, and on how many devices a new block group still fits
-- (1 GiB each, of `needed` ones). rank 1: the output that shows most, the last of them.
CREATE VIEW btrfs_metadata AS
WITH one AS (
    SELECT capture, node, src, sum(CASE WHEN kind IN ('metadata', 'mixed') THEN size_bytes END) AS size_bytes, sum(CASE WHEN kind IN ('metadata', 'mixed') THEN used_bytes END) AS used_bytes,
           max(CASE WHEN kind IN ('metadata', 'mixed') THEN profile END) AS profile, max(CASE WHEN kind = 'reserve' THEN size_bytes END) AS reserve_bytes, max(CASE WHEN kind = 'reserve' THEN used_bytes END) AS reserve_used_bytes,
           sum(kind = 'unallocated') AS devices, sum(kind = 'unallocated' AND size_bytes >= 1073741824) AS roomy, sum(CASE WHEN kind = 'unallocated' THEN size_bytes END) AS unallocated_bytes,
           first_line(src, CASE WHEN kind IN ('metadata', 'mixed') THEN line END) AS line, first_line(src, CASE WHEN kind = 'unallocated' THEN line END) AS free_line
    FROM btrfs_space WHERE node IS NOT NULL GROUP BY capture, node, src
)
SELECT *, CASE profile WHEN 'raid1' THEN 2 WHEN 'raid10' THEN 2 WHEN 'raid5' THEN 2 WHEN 'raid1c3' THEN 3 WHEN 'raid6' THEN 3 WHEN 'raid1c4' THEN 4 ELSE 1 END AS needed,
       row_number() OVER (PARTITION BY capture, node ORDER BY devices = 0, src DESC) AS rank
FROM one WHERE size_bytes > 0;

-- Files that somebody looked at, with the file system that they lie on: the mount with the longest name above them.
CREATE VIEW file_place AS
SELECT f.capture, coalesce(f.node, (SELECT m.node FROM mount m WHERE m.capture = f.capture AND m.node IS NOT NULL AND (f.path = m.mountpoint OR m.mountpoint = '/' OR substr(f.path, 1, length(m.mountpoint) + 1) = m.mountpoint || '/')
                                    ORDER BY length(m.mountpoint) DESC LIMIT 1)) AS node, f.path, f.extents, f.nocow, f.src, f.line
FROM file_layout f WHERE f.node IS NOT NULL OR f.path GLOB '/*';

-- Which drive of this host an OSD of Ceph lies on: `ceph device ls` names model and serial number, a listing of file systems or volumes only
-- that some OSD is there (osd NULL).
CREATE VIEW ceph_drive AS
SELECT o.capture, o.osd, d.node, min(o.src) AS src, first_line(o.src, o.line) AS line
FROM ceph_osd o JOIN drive d ON d.capture = o.capture AND length(d.serial) >= 5 AND substr(o.device_id, -length(d.serial) - 1) = '_' || replace(d.serial, ' ', '_')
WHERE o.device_id IS NOT NULL GROUP BY o.capture, o.osd, d.node
UNION ALL
SELECT s.capture, NULL, d.node, min(s.src), first_line(s.src, s.line)
FROM setting s JOIN reach r ON r.capture = s.capture AND r.above = s.node JOIN drive d ON d.capture = s.capture AND d.node = r.below
WHERE s.key = 'fs_type' AND s.value = 'ceph_bluestore' GROUP BY s.capture, d.node
UNION ALL
SELECT e.capture, NULL, d.node, min(e.src), first_line(e.src, e.line)
FROM edge e JOIN node n ON n.id = e.child AND n.label GLOB 'ceph--*' JOIN reach r ON r.capture = e.capture AND r.above = e.child JOIN drive d ON d.capture = e.capture AND d.node = r.below
WHERE e.src IS NOT NULL AND e.line IS NOT NULL AND (n.label GLOB '*osd--block*' OR n.label GLOB '*osd--db*' OR n.label GLOB '*osd--wal*') GROUP BY e.capture, d.node;

-- OSDs that something names for being slow: health checks, lines of the log, steps of their store that took seconds, or a commit latency of three times the median and 20 ms.
CREATE VIEW ceph_slow AS
WITH typical AS (SELECT capture, median(commit_ms) AS ms, count(DISTINCT osd) AS n FROM ceph_osd WHERE commit_ms IS NOT NULL GROUP BY capture)
SELECT c.capture, c.osd, 'named' AS how, NULL AS ms, NULL AS typical_ms, c.src, c.line FROM ceph_check c WHERE c.osd IS NOT NULL AND c.code IN ('SLOW_OPS', 'BLUESTORE_SLOW_OP_ALERT', 'BLUESTORE_SLOW_OPS')
UNION ALL
SELECT l.capture, CAST(substr(trim(j.value), 5) AS INTEGER), 'named', NULL, NULL, l.src, l.line
FROM log_event l JOIN json_each('["' || replace(replace(coalesce(json_extract(l.fields, '$.d'), json_extract(l.fields, '$.one'), ''), '"', ''), ',', '","') || '"]') j
WHERE l.event = 'ceph-slow-ops' AND json_valid(l.fields) AND trim(j.value) GLOB 'osd.[0-9]*'
UNION ALL
SELECT l.capture, CAST(json_extract(l.fields, '$.osd') AS INTEGER), 'store', NULL, NULL, l.src, l.line FROM log_event l WHERE l.event = 'ceph-slow-drive' AND json_valid(l.fields) AND json_extract(l.fields, '$.osd') IS NOT NULL
UNION ALL
SELECT o.capture, o.osd, 'commit', o.commit_ms, t.ms, o.src, o.line FROM ceph_osd o JOIN typical t ON t.capture = o.capture WHERE t.n >= 4 AND o.commit_ms >= 20 AND o.commit_ms >= 3 * t.ms;

-- Inodes in use, of file systems that have a fixed number of them.
CREATE VIEW inode_fill AS
SELECT m.capture, m.node, max(m.inodes_used_pct) AS used_pct, min(CASE WHEN m.inodes_used_pct IS NOT NULL THEN m.src END) AS src,
       first_line(CASE WHEN m.inodes_used_pct IS NOT NULL THEN m.src END, CASE WHEN m.inodes_used_pct IS NOT NULL THEN m.line END) AS line
FROM mount m
WHERE m.node IS NOT NULL
GROUP BY m.capture, m.node
HAVING max(m.inodes_used_pct) IS NOT NULL AND max(coalesce(',' || m.options || ',' LIKE '%,ro,%', 0)) = 0 AND max(coalesce(m.fstype IN ('btrfs', 'vfat', 'zfs', 'iso9660', 'squashfs'), 0)) = 0;

-- Lines with which a file system says that something went wrong, in the boot of the capture: at the file system where it is known, else at its
-- device, else at the host. `dev` is the device without the inode of the journal ("sda1-8"); `mountpoint` where it is mounted.
CREATE VIEW fs_stop AS
WITH said AS (
    SELECT l.*, CASE WHEN l.event = 'fs-journal-aborted' AND (l.subject GLOB '*-*-[0-9]*' OR (l.subject GLOB '*-[0-9]*' AND l.subject NOT GLOB 'dm-*'))
                     THEN rtrim(rtrim(l.subject, '0123456789'), '-') ELSE l.subject END AS dev
    FROM log_event l
    WHERE coalesce(l.boot, 0) = 0 AND l.event IN ('fs-read-only', 'fs-shutdown', 'fs-journal-aborted', 'fs-write-failed', 'fs-error', 'fs-io-error', 'fs-old-errors')
), placed AS (
    SELECT s.*, CASE WHEN s.dev = s.subject THEN s.node
                     ELSE coalesce((SELECT min(o.node) FROM log_event o WHERE o.capture = s.capture AND o.subject = s.dev AND o.event GLOB 'fs-*' AND o.node IS NOT NULL), s.node) END AS device,
           (SELECT min(m.node) FROM mount m WHERE m.capture = s.capture AND m.source IN (s.dev, '/dev/' || s.dev) AND m.node IS NOT NULL) AS by_source
    FROM said s
), known AS (
    SELECT p.*, coalesce(p.by_source, (SELECT CASE WHEN count(*) = 1 THEN min(f.id) END FROM reach r JOIN node f ON f.id = r.above AND f.kind = 'filesystem' WHERE r.capture = p.capture AND r.below = p.device)) AS fs
    FROM placed p
)
SELECT k.capture, coalesce(k.fs, k.device, h.node) AS node, k.device, k.dev, k.event, k.sig, k.fields, coalesce(k.count, 1) AS count, coalesce(k.t_mono_s, k.t_s) AS t, k.src, k.line,
       (SELECT min(m.mountpoint) FROM mount m WHERE m.capture = k.capture AND m.node = k.fs) AS mountpoint
FROM known k JOIN host h ON h.capture = k.capture;

-- File systems that became read-only by themselves, as mountinfo shows it: the mount is writable ("rw,..." comes first), what is mounted is
-- not (a further "ro", "emergency_ro" or "shutdown" among the options of the superblock). A bind mount may show the same of a file
-- system that somebody made read-only elsewhere: told only where no mount of the device is read-only itself.
CREATE VIEW fs_turned_ro AS
SELECT m.capture, m.node, m.source, m.mountpoint, m.fstype, min(m.src) AS src, first_line(m.src, m.line) AS line, max(',' || m.options || ',' LIKE '%,shutdown,%') AS shut
FROM mount m
WHERE m.node IS NOT NULL AND m.fstype IN ('ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'f2fs', 'jfs', 'reiserfs') AND (m.options GLOB 'rw,*,ro,*' OR m.options GLOB 'rw,*,ro' OR m.options GLOB 'rw,ro,*'
      OR ',' || m.options || ',' LIKE '%,emergency_ro,%' OR ',' || m.options || ',' LIKE '%,shutdown,%')
  AND NOT EXISTS (SELECT 1 FROM mount o WHERE o.capture = m.capture AND o.source = m.source AND (o.options GLOB 'ro,*' OR o.options = 'ro'))
GROUP BY m.capture, m.node;

-- The first lines of a device below a file system that gave up, before it did: what the file system reacted to.
CREATE VIEW fs_stop_reason AS
SELECT s.capture, s.node, l.event, l.src, min(l.line) AS line, sum(coalesce(l.count, 1)) AS count
FROM fs_stop s JOIN log_event l ON l.capture = s.capture AND l.src = s.src AND l.line < s.line AND coalesce(l.boot, 0) = 0
     AND (l.node = s.device OR l.node IN (SELECT r.below FROM reach r WHERE r.capture = s.capture AND r.above IN (s.node, s.device)))
WHERE s.event IN ('fs-read-only', 'fs-shutdown', 'fs-journal-aborted')
  AND l.event IN ('io-error', 'buffer-io-error', 'medium-error', 'hardware-error', 'device-gone', 'device-offline', 'device-disabled', 'command-timeout', 'nvme-timeout', 'nvme-down', 'usb-disconnect',
                  'link-reset', 'icrc', 'transport-error', 'md-failed', 'thin-pool-mode')
GROUP BY s.capture, s.node, l.event, l.src;

-- What each drive does and how long its requests wait, one row per drive, tool and basis, beside what its class can; rank 1 speaks for the
-- drive: samples before a lone report, a tool that knows how busy it is, the longest series. small: requests of 16 KiB or less on average.
CREATE VIEW drive_rate AS
WITH rate AS (
    SELECT x.capture, x.node, x.tool, x.basis, max(x.n) AS n, min(x.src) AS src, first_line(x.src, x.line) AS line,
           max(CASE WHEN metric = 'util_pct' THEN coalesce(p50, mean) END) AS util_pct,
           max(CASE WHEN metric = 'r_bytes_s' THEN coalesce(p50, mean) END) AS r_bytes_s, max(CASE WHEN metric = 'w_bytes_s' THEN coalesce(p50, mean) END) AS w_bytes_s,
           max(CASE WHEN metric = 'r_s' THEN coalesce(p50, mean) END) AS r_s, max(CASE WHEN metric = 'w_s' THEN coalesce(p50, mean) END) AS w_s,
           max(CASE WHEN metric IN ('w_await_ms', 'disk_wait_write_ms') THEN coalesce(busy_p50, p50, mean) END) AS w_wait_ms,
           max(CASE WHEN metric IN ('r_await_ms', 'disk_wait_read_ms') THEN coalesce(busy_p50, p50, mean) END) AS r_wait_ms
    FROM distribution x GROUP BY x.capture, x.node, x.tool, x.basis
)
SELECT r.capture, r.node, r.tool, r.basis, r.n, r.src, r.line, r.util_pct, d.class, d.class_mb_s, d.class_iops, d.slow_wait_ms,
       (coalesce(r.r_bytes_s, 0) + coalesce(r.w_bytes_s, 0)) / 1e6 AS mb_s, coalesce(r.r_s, 0) + coalesce(r.w_s, 0) AS iops,
       (coalesce(r.r_bytes_s, 0) + coalesce(r.w_bytes_s, 0)) / nullif(coalesce(r.r_s, 0) + coalesce(r.w_s, 0), 0) <= 16384 AS small,
       CASE WHEN coalesce(r.w_s, 0) >= coalesce(r.r_s, 0) THEN r.w_wait_ms ELSE r.r_wait_ms END AS wait_ms,
       row_number() OVER (PARTITION BY r.capture, r.node ORDER BY r.basis = 'lifetime average', r.util_pct IS NULL, r.n DESC, r.src) AS rank
FROM rate r JOIN drive d ON d.node = r.node AND d.capture = r.capture
WHERE d.class_mb_s IS NOT NULL AND d.class_iops IS NOT NULL AND d.media IN ('hdd', 'ssd', 'nvme')
  AND coalesce(r.r_bytes_s, r.w_bytes_s) IS NOT NULL AND coalesce(r.r_s, r.w_s) IS NOT NULL;

-- Small writes that were made on purpose, each of them flushed (dd oflag=dsync, fio with sync or fsync=1): the time of one, and of which
-- pool or drive. Where several wrote at a time each of them waited longer still.
CREATE VIEW sync_test AS
WITH each_one AS (
    SELECT b.capture, b.tool, b.target, b.block_bytes, 1000.0 / coalesce(b.iops, b.mb_s * 1e6 / b.block_bytes) AS ms, b.src, b.line, b.node AS target_node
    FROM benchmark b
    WHERE b.node IS NOT NULL AND b.sync = 'dsync' AND b.rw IN ('write', 'randwrite') AND b.block_bytes <= 65536 AND coalesce(b.iops, b.mb_s * 1e6 / b.block_bytes) > 0
), below AS (
    SELECT e.*, (SELECT min(n.id) FROM reach r JOIN node n ON n.id = r.below AND n.kind = 'pool' WHERE r.capture = e.capture AND r.above = e.target_node) AS pool,
           (SELECT count(*) FROM reach r JOIN drive d ON d.node = r.below AND d.capture = r.capture WHERE r.capture = e.capture AND r.above = e.target_node) AS drives,
           (SELECT min(d.node) FROM reach r JOIN drive d ON d.node = r.below AND d.capture = r.capture WHERE r.capture = e.capture AND r.above = e.target_node) AS drive,
           (SELECT max(d.media = 'hdd') FROM reach r JOIN drive d ON d.node = r.below AND d.capture = r.capture WHERE r.capture = e.capture AND r.above = e.target_node AND d.media IN ('hdd', 'ssd', 'nvme')) AS rotating
    FROM each_one e
)
SELECT capture, coalesce(pool, CASE WHEN drives = 1 THEN drive END, target_node) AS node, tool, target, block_bytes, ms, rotating, src, line FROM below WHERE rotating IS NOT NULL;

-- ---------------------------------------------------------------- drives that changed places
-- What the verdicts about exchanged ports rest on: rows of each pair of captures (`before`, `after`). Five pages read these views
-- and none of the figures behind them, so that they cannot disagree.

-- Places that outlive a boot and are one drive's: a place printed for two (behind an expander or multiplier that was not seen) is none,
-- nor is one behind an expander that only the kernel's name tells, expander-0:1, which counts hosts of a boot.
CREATE VIEW exact_place AS
SELECT p.capture, p.node, p.label, p.bdf, p.mode, p.port IS NULL AS no_port, p.slot IS NULL AS no_slot, p.src, p.line
FROM place p
WHERE coalesce(p.boot, 0) = 0 AND p.bdf IS NOT NULL
  AND (p.port IS NOT NULL OR p.slot IS NOT NULL OR p.channel IS NOT NULL OR p.phy IS NOT NULL OR p.mode = 'nvme')
  AND coalesce(p.expander, '') NOT LIKE 'expander-%'
  AND NOT EXISTS (SELECT 1 FROM place o WHERE o.capture = p.capture AND coalesce(o.boot, 0) = 0 AND o.label = p.label AND o.node <> p.node);

-- Drives on another place, with who sits on the old place now (`heir`) and who sat on the new one before (`former`).
CREATE VIEW exchange AS
WITH spot AS MATERIALIZED (SELECT * FROM exact_place),
switched AS MATERIALIZED ( -- controllers whose mode changed: their old and new port numbers are not the same axis
    SELECT x.capture AS before, y.capture AS after, x.bdf FROM pci_device x JOIN pci_device y ON y.bdf = x.bdf AND y.capture <> x.capture WHERE x.mode <> y.mode
    UNION SELECT b.capture, a.capture, b.bdf FROM spot b JOIN spot a ON a.bdf = b.bdf AND a.capture <> b.capture WHERE b.mode <> a.mode
    -- and a function that went away when its drives went to one that was switched
    UNION SELECT b.capture, a.capture, b.bdf FROM spot b JOIN spot a ON a.node = b.node AND a.capture <> b.capture
    WHERE b.mode = 'ide' AND a.mode <> 'ide' AND EXISTS (SELECT 1 FROM pci_device y WHERE y.capture = a.capture)
      AND NOT EXISTS (SELECT 1 FROM pci_device y WHERE y.capture = a.capture AND y.bdf = b.bdf)
), moved AS MATERIALIZED ( -- where the old address is gone the bus was renumbered, and nothing moved
    SELECT b.capture AS before, a.capture AS after, b.node, b.label AS was_at, a.label AS is_at, b.mode AS was_mode, a.mode AS is_mode,
           b.src AS b_src, b.line AS b_line, a.src AS a_src, a.line AS a_line
    FROM spot b JOIN spot a ON a.node = b.node AND a.capture <> b.capture
    WHERE a.label <> b.label AND a.no_port = b.no_port AND a.no_slot = b.no_slot
      AND (b.capture, a.capture, b.bdf) NOT IN (SELECT before, after, bdf FROM switched)
      AND (b.capture, a.capture, a.bdf) NOT IN (SELECT before, after, bdf FROM switched)
      AND (a.bdf = b.bdf OR EXISTS (SELECT 1 FROM pci_device x WHERE x.capture = a.capture AND x.bdf = b.bdf)
           OR EXISTS (SELECT 1 FROM spot x WHERE x.capture = a.capture AND x.bdf = b.bdf))
)
SELECT m.*, d.name AS is_name, db.name AS was_name,
       coalesce(d.model, 'the drive') || coalesce(', serial ' || d.serial, '') || coalesce(', WWN 0x' || coalesce(d.wwn, db.wwn), '')
           || CASE WHEN coalesce(d.serial, d.wwn, db.wwn) IS NULL THEN ', serial number unknown' ELSE '' END AS who,
       e.node AS heir, ea.name AS heir_name, eb.name AS heir_was, ea.model AS heir_model, coalesce(ea.model || coalesce(', serial ' || ea.serial, '') || ' (' || ea.name || ')', ea.name) AS heir_who, f.node AS former
FROM moved m JOIN drive d ON d.node = m.node AND d.capture = m.after JOIN drive db ON db.node = m.node AND db.capture = m.before
     LEFT JOIN spot e ON e.capture = m.after AND e.label = m.was_at AND e.node <> m.node
     LEFT JOIN drive ea ON ea.node = e.node AND ea.capture = m.after LEFT JOIN drive eb ON eb.node = e.node AND eb.capture = m.before
     LEFT JOIN spot f ON f.capture = m.before AND f.label = m.is_at AND f.node <> m.node;

-- Drives that the next capture may take for others: no serial of their own, no WWN of their own.
CREATE VIEW unsure_drive AS
SELECT d.capture, d.node FROM drive d
WHERE (d.serial IS NULL OR EXISTS (SELECT 1 FROM drive o WHERE o.capture = d.capture AND o.node <> d.node AND o.serial = d.serial AND o.model IS d.model))
  AND (d.wwn IS NULL OR EXISTS (SELECT 1 FROM drive o WHERE o.capture = d.capture AND o.node <> d.node AND o.wwn = d.wwn));

-- How a drive waits: slow, normal (below twice its peers), between, near (more than twice, but by less than anybody feels), or few and
-- few-slow where it was busy with its peers at fewer than 20 moments. class_only: no peer was busy with it, and its class is the measure.
CREATE VIEW drive_wait AS
WITH by_peers AS MATERIALIZED ( -- the drive against its peers at the same moments
    SELECT o.capture, o.drive AS node, o.metric, o.tool, o.value_ms AS ms, o.peers_ms, o.ratio,
           CASE WHEN o.n_busy < 20 THEN CASE WHEN o.slow THEN 'few-slow' ELSE 'few' END WHEN o.slow THEN 'slow' WHEN o.ratio < 2 THEN 'normal'
                WHEN o.excess_ms < o.least_ms THEN 'near' ELSE 'between' END AS state
    FROM outlier o WHERE o.rank = 1
), by_class AS (
    SELECT x.capture, x.node, x.metric, x.tool, x.busy_p50 AS ms, NULL AS peers_ms, x.busy_p50 / d.class_wait_ms AS ratio,
           CASE WHEN x.n_busy < 20 THEN CASE WHEN x.busy_p50 >= d.slow_wait_ms THEN 'few-slow' ELSE 'few' END
                WHEN x.busy_p50 >= d.slow_wait_ms THEN 'slow' WHEN x.busy_p50 * 2 < d.slow_wait_ms THEN 'normal' ELSE 'between' END AS state,
           row_number() OVER (PARTITION BY x.capture, x.node ORDER BY x.n_busy >= 20 DESC, x.metric = 'w_await_ms' DESC, x.tool) AS rank
    FROM distribution x JOIN drive d ON d.node = x.node AND d.capture = x.capture
    WHERE x.basis <> 'lifetime average' AND x.metric IN ('w_await_ms', 'r_await_ms', 'disk_wait_write_ms', 'disk_wait_read_ms')
      AND x.busy_p50 IS NOT NULL AND coalesce(x.n_busy, 0) >= 2 AND d.slow_wait_ms IS NOT NULL
), look AS (
    SELECT capture, node, metric, tool, ms, peers_ms, ratio, state, 0 AS class_only FROM by_peers
    UNION ALL
    SELECT capture, node, metric, tool, ms, peers_ms, ratio, state, 1 FROM by_class
    WHERE rank = 1 AND (capture, node) NOT IN (SELECT capture, node FROM by_peers)
)
SELECT l.capture, l.node, l.ms, l.state, l.class_only,
       printf(CASE WHEN l.ms < 999.5 THEN '%.3g ms' ELSE '%.0f ms' END, l.ms) || CASE WHEN l.metric IN ('r_await_ms', 'disk_wait_read_ms') THEN ' for a read' ELSE ' for a write' END
           || CASE WHEN l.class_only THEN '' ELSE printf(CASE WHEN l.peers_ms < 999.5 THEN ' (its peers %.3g ms)' ELSE ' (its peers %.0f ms)' END, l.peers_ms) END AS words,
       x.src, coalesce(x.worst_line, x.line) AS line -- a line of the series
FROM look l LEFT JOIN distribution x ON x.capture = l.capture AND x.node = l.node AND x.metric = l.metric AND x.tool = l.tool;

-- An exchange with the waits of both drives on both places. Twice the wait of quick peers is still quick: 'near' counts as normal
-- where the slow drive waited three times as long.
CREATE VIEW judged_exchange AS
WITH w AS MATERIALIZED (SELECT * FROM drive_wait)
SELECT s.*, b.state AS was, b.words AS was_words, b.class_only OR a.class_only AS class_only, b.src AS wb_src, b.line AS wb_line,
       CASE WHEN a.state = 'near' THEN CASE WHEN a.ms * 3 <= b.ms THEN 'normal' ELSE 'between' END ELSE a.state END AS is_now,
       a.words AS is_words, a.src AS wa_src, a.line AS wa_line,
       CASE WHEN ea.state = 'near' THEN CASE WHEN ea.ms * 3 <= b.ms THEN 'normal' ELSE 'between' END ELSE ea.state END AS heir_now,
       ea.words AS heir_words, ea.src AS ha_src, ea.line AS ha_line,
       CASE WHEN eb.state = 'near' THEN CASE WHEN eb.ms * 3 <= b.ms THEN 'normal' ELSE 'between' END ELSE eb.state END AS heir_then,
       eb.words AS heir_then_words, eb.src AS hb_src, eb.line AS hb_line,
       CASE WHEN fb.state = 'near' THEN CASE WHEN fb.ms * 3 <= b.ms THEN 'normal' ELSE 'between' END ELSE fb.state END AS former_then,
       fb.words AS former_words, fb.src AS fb_src, fb.line AS fb_line
FROM exchange s LEFT JOIN w b ON b.node = s.node AND b.capture = s.before LEFT JOIN w a ON a.node = s.node AND a.capture = s.after
     LEFT JOIN w ea ON ea.node = s.heir AND ea.capture = s.after LEFT JOIN w eb ON eb.node = s.heir AND eb.capture = s.before
     LEFT JOIN w fb ON fb.node = s.former AND fb.capture = s.before;

-- What else changed about a moved drive, or makes the comparison void, and what would settle it. Codes as slow-cannot-tell prints
-- them: a other load, c more than one change, e unsure identity.
CREATE VIEW spoilt_exchange AS
WITH m AS MATERIALIZED (SELECT x.*, d.name FROM exchange x JOIN drive d ON d.node = x.node AND d.capture = x.after),
speed AS MATERIALIZED (
    SELECT s.capture, s.node, CAST(s.value AS REAL) AS gbps, s.src, s.line,
           row_number() OVER (PARTITION BY s.capture, s.node ORDER BY s.view <> 'drive', s.src DESC, s.line DESC) AS rank
    FROM setting s WHERE s.key = 'link_gbps' AND coalesce(s.boot, 0) = 0
)
SELECT m.before, m.after, m.node, 'a' AS code, 'the two captures carry different load (see load-not-comparable)' AS why,
       'the same job, captured once more' AS settle, NULL AS src, NULL AS line
FROM m WHERE EXISTS (SELECT 1 FROM finding f WHERE f.capture = m.after AND f.rule = 'load-not-comparable' AND f.answer = 'found')
UNION ALL
SELECT m.before, m.after, m.node, 'c', 'TRIM of ' || m.name || ' is "' || b.trim_state || '" before and "' || a.trim_state || '" after',
       'a capture with the drives changed back and nothing else', a.src, a.line
FROM m JOIN vdev b ON b.node = m.node AND b.capture = m.before AND b.is_leaf = 1 JOIN vdev a ON a.node = m.node AND a.capture = m.after AND a.is_leaf = 1
WHERE a.trim_state <> b.trim_state OR a.trim_end_s > b.trim_end_s + 3600
UNION ALL
SELECT m.before, m.after, m.node, 'c', 'the firmware of ' || a.name || ' changed from ' || b.firmware || ' to ' || a.firmware,
       'a capture with the drives changed back and nothing else', NULL, NULL
FROM m JOIN drive b ON b.node = m.node AND b.capture = m.before JOIN drive a ON a.node = m.node AND a.capture = m.after WHERE a.firmware <> b.firmware
UNION ALL
SELECT m.before, m.after, m.node, 'c', 'the link of ' || m.name || printf(' ran at %g Gbit/s and runs at %g', b.gbps, a.gbps),
       'an exchange between two ports of one speed', a.src, a.line
FROM m JOIN speed b ON b.node = m.node AND b.capture = m.before AND b.rank = 1 JOIN speed a ON a.node = m.node AND a.capture = m.after AND a.rank = 1
WHERE abs(a.gbps - b.gbps) > 0.1
UNION ALL
SELECT m.before, m.after, m.node, 'c', 'the new port belongs to a controller of another mode (' || m.was_mode || ', now ' || m.is_mode || ')',
       'an exchange between two ports of one controller', m.a_src, m.a_line
FROM m WHERE m.was_mode <> m.is_mode
UNION ALL
SELECT m.before, m.after, m.node, 'e', 'it is not sure that this is the same drive: neither its WWN nor a serial number tells it from another one',
       '`smartctl -i` of both drives', NULL, NULL
FROM m WHERE m.node IN (SELECT u.node FROM unsure_drive u WHERE u.capture IN (m.before, m.after));

-- Errors that belong to the place of their capture: the kernel log of its boot, ZFS since the import, the link since power-on. Where
-- both captures are of one boot the later log also holds what happened before the move: only what is later counts.
CREATE VIEW place_error AS
WITH pair AS (SELECT b.id AS before, a.id AS after, b.end_s, coalesce(a.boot_id = b.boot_id, 0) AS one_boot FROM capture b JOIN capture a ON a.id <> b.id),
said AS (
    SELECT p.before, p.after, l.capture, l.node,
           CASE WHEN l.event IN ('icrc', 'link-bit-errors', 'ata-bus-error') THEN 'link' WHEN l.event = 'medium-error' THEN 'medium' ELSE 'timeout' END AS class,
           coalesce(l.count, 1) AS n, l.src, l.line, replace(l.event, '-', ' ') AS what
    FROM pair p JOIN log_event l ON l.capture IN (p.before, p.after)
    WHERE l.node IS NOT NULL AND coalesce(l.boot, 0) = 0 AND coalesce(l.severity, 'medium') <> 'noise'
      AND l.event IN ('icrc', 'link-bit-errors', 'ata-bus-error', 'medium-error', 'command-timeout', 'uas-error', 'nvme-timeout', 'task-abort')
      AND (l.capture = p.before OR NOT p.one_boot OR l.t_s > p.end_s)
    UNION ALL -- counts that were printed twice are one
    SELECT p.before, p.after, v.capture, v.node, 'checksum', max(v.cksum_errors), v.src, v.line, 'checksum errors of the pool'
    FROM pair p JOIN vdev v ON v.capture IN (p.before, p.after)
    WHERE v.is_leaf = 1 AND v.cksum_errors > 0
      AND (v.capture = p.before OR NOT p.one_boot
           OR v.cksum_errors > coalesce((SELECT max(o.cksum_errors) FROM vdev o WHERE o.capture = p.before AND o.node = v.node), 0))
    GROUP BY p.before, p.after, v.capture, v.node
    UNION ALL
    SELECT p.before, p.after, c.capture, c.node, 'link', max(c.value), c.src, c.line, 'errors of the SATA link since power-on'
    FROM pair p JOIN counter c ON c.capture IN (p.before, p.after)
    WHERE c.kind = 'phy' AND c.id IN (1, 2, 11) AND c.value > 0 AND (c.capture = p.before OR NOT p.one_boot)
      AND EXISTS (SELECT 1 FROM drive d WHERE d.node = c.node AND d.capture = c.capture AND d.bus = 'ata')
    GROUP BY p.before, p.after, c.capture, c.node, c.id
)
SELECT before, after, capture, node, class, sum(n) AS n, max(CASE WHEN rank = 1 THEN src END) AS src, max(CASE WHEN rank = 1 THEN line END) AS line,
       group_concat(DISTINCT what) AS what
FROM (SELECT s.*, row_number() OVER (PARTITION BY before, after, capture, node, class ORDER BY src, line) AS rank FROM said s)
GROUP BY before, after, capture, node, class;

-- Counters that live in the drive and are never set back: only what they grew by counts, never their total. The largest reading of each side.
CREATE VIEW grown_counter AS
WITH reading AS MATERIALIZED (
    SELECT capture, node, kind, id, name, max(value) AS value, src, line FROM counter
    WHERE (kind = 'ata' AND id IN (187, 188, 197, 198, 199)) OR name = 'media_errors' GROUP BY capture, node, kind, name
)
SELECT b.capture AS before, a.capture AS after, b.node, CASE WHEN b.id = 199 THEN 'link' WHEN b.id = 188 THEN 'timeout' ELSE 'medium' END AS class, b.name,
       a.value - b.value AS by_how_much, b.src AS b_src, b.line AS b_line, a.src AS a_src, a.line AS a_line
FROM reading b JOIN reading a ON a.node = b.node AND a.name = b.name AND a.kind = b.kind AND a.capture <> b.capture;

-- How long the kernel log of the later capture looked after the move.
CREATE VIEW watched AS
SELECT b.id AS before, a.id AS after, l.capture IS NOT NULL AS logged, l.src, l.line,
       CASE WHEN a.boot_id = b.boot_id THEN min(coalesce(l.s, 0), max(coalesce(a.end_s - b.end_s, 0), 0)) ELSE coalesce(l.s, 0) END / 3600.0 AS hours
FROM capture b JOIN capture a ON a.id <> b.id LEFT JOIN log_cover l ON l.capture = a.id;

-- Drives of pools whose last scrub ended after the earlier capture.
CREATE VIEW scrubbed_drive AS
SELECT b.id AS before, s.capture AS after, v.node
FROM pool_scan s JOIN vdev v ON v.capture = s.capture AND v.pool = s.node AND v.is_leaf = 1 JOIN capture b ON b.id <> s.capture
WHERE s.kind = 'scrub' AND s.state = 'finished' AND s.end_s > b.end_s;

-- The speed of each SATA link: what runs, and the limits that are known: the drive's, the port's, an imposed one, the controller's by its
-- own banner and by its chip. only_banner, for drives without a place: the only speed that any banner of the log says.
CREATE VIEW sata_link AS
SELECT d.capture, d.node, d.name, d.media, p.bdf, p.controller, p.multiplier,
       (SELECT CAST(s.value AS REAL) FROM setting s WHERE s.node = d.node AND s.capture = d.capture AND s.key = 'link_gbps' AND coalesce(s.boot, 0) = 0 ORDER BY s.view <> 'kernel', s.src, s.line DESC LIMIT 1) AS runs,
       (SELECT max(CAST(s.value AS REAL)) FROM setting s WHERE s.node = d.node AND s.capture = d.capture AND s.key = 'link_max_gbps') AS can,
       (SELECT max(CAST(s.value AS REAL)) FROM setting s WHERE s.node = d.node AND s.capture = d.capture AND s.key = 'port_max_gbps') AS port_max,
       (SELECT min(CAST(s.value AS REAL)) FROM setting s WHERE s.node = d.node AND s.capture = d.capture AND s.key = 'link_limit_gbps' AND CAST(s.value AS REAL) > 0) AS imposed,
       (SELECT max(CAST(s.value AS INTEGER)) FROM setting s WHERE s.node = d.node AND s.capture = d.capture AND s.key = 'spdn_cnt' AND coalesce(s.boot, 0) = 0) AS steps,
       (SELECT max(CAST(s.value AS REAL)) FROM setting s WHERE s.node = p.controller AND s.capture = d.capture AND s.key = 'ahci_ports_gbps') AS banner,
       (SELECT max(CAST(f.value AS REAL)) FROM model_fact f WHERE f.node = p.controller AND f.capture = d.capture AND f.fact = 'link_max_gbps') AS chip,
       (SELECT max(f.value) FROM model_fact f WHERE f.node = p.controller AND f.capture = d.capture AND f.fact = 'family') AS family,
       (SELECT CASE WHEN min(g) = max(g) THEN max(g) END FROM (SELECT CAST(json_extract(e.fields, '$.gbps') AS REAL) AS g FROM log_event e
        WHERE e.capture = d.capture AND coalesce(e.boot, 0) = 0 AND e.event = 'ahci-banner' AND json_valid(e.fields)) WHERE g > 0) AS only_banner
FROM drive d LEFT JOIN place p ON p.node = d.node AND p.capture = d.capture AND coalesce(p.boot, 0) = 0
WHERE d.bus = 'ata' AND coalesce(d.is_virtual, 0) = 0;

-- The word that counts on each setting: the drive itself, then sysfs, then the last line of the log (rank 1).
CREATE VIEW setting_word AS
SELECT s.capture, s.node, s.key, s.value, s.src, s.line,
       row_number() OVER (PARTITION BY s.capture, s.node, s.key ORDER BY s.view <> 'drive', coalesce(o.tool, '') = 'kernel-log', s.src DESC, s.line DESC) AS rank
FROM setting s LEFT JOIN source o ON o.id = s.src WHERE coalesce(s.boot, 0) = 0;

-- Settings that another capture has with another word, of the keys that a repair changes. better: cache, link or queue where the later
-- word is the one that people want; NULL: worse, or neither.
CREATE VIEW changed_word AS
WITH word AS MATERIALIZED (
    SELECT * FROM setting_word WHERE rank = 1 AND key IN ('write_cache', 'nvme_write_cache_feature', 'link_gbps', 'ncq_depth', 'queue_depth')
)
SELECT b.capture AS before, a.capture AS after, b.node, b.key, b.value AS was, a.value AS is_now, b.src AS b_src, b.line AS b_line, a.src AS a_src, a.line AS a_line,
       CASE WHEN b.key IN ('write_cache', 'nvme_write_cache_feature') AND b.value = 'off' AND a.value = 'on' THEN 'cache'
            WHEN b.key = 'link_gbps' AND CAST(a.value AS REAL) > CAST(b.value AS REAL) + 0.1 THEN 'link'
            WHEN b.key IN ('ncq_depth', 'queue_depth') AND CAST(b.value AS INTEGER) <= 1 AND CAST(a.value AS INTEGER) > 1
                 AND EXISTS (SELECT 1 FROM drive d WHERE d.capture = a.capture AND d.node = a.node AND d.bus = 'ata') THEN 'queue' END AS better
FROM word b JOIN word a ON a.node = b.node AND a.key = b.key AND a.capture <> b.capture
WHERE a.value <> b.value;

-- Lines of the SCSI layer and above that are an echo of a round of ATA error handling: what libata makes of it. "Unaligned write
-- command" and "Scsi parity error" among them are placeholders; `class` is what the round really was.
CREATE VIEW echo_of_episode AS
SELECT l.capture, l.node, l.event, l.src, l.line, e.class, e.src AS e_src, e.line AS e_line
FROM log_event l JOIN episode e ON e.capture = l.capture AND e.node = l.node AND e.boot = l.boot
WHERE l.event IN ('sense-placeholder', 'scsi-sense', 'scsi-sense-detail', 'scsi-result', 'scsi-cdb', 'medium-error', 'command-refused', 'hardware-error', 'io-error', 'buffer-io-error')
  AND coalesce(l.subject_kind, '') <> 'ata'
  AND CASE WHEN l.t_mono_s IS NOT NULL AND e.first_mono_s IS NOT NULL THEN l.t_mono_s BETWEEN e.first_mono_s - 1 AND e.last_mono_s + 60
           WHEN l.t_s IS NOT NULL AND e.first_s IS NOT NULL THEN l.t_s BETWEEN e.first_s - 1 AND e.last_s + 60
           ELSE l.src = e.src AND l.line BETWEEN e.line AND e.last_line + 20 END;

-- Rounds in which a drive was put into a port that was empty: the last word of that port before was that the link is down or the drive given up.
CREATE VIEW plugged_in AS
SELECT e.capture, e.node, e.boot, e.src, e.line, e.last_line FROM episode e
WHERE e.class = 'link' AND (SELECT l.event FROM log_event l WHERE l.capture = e.capture AND l.node = e.node AND l.boot IS e.boot AND l.src = e.src AND l.line < e.line
      AND l.event IN ('link-up', 'link-down', 'device-disabled', 'drive-identify', 'transfer-mode') ORDER BY l.line DESC LIMIT 1) IN ('link-down', 'device-disabled');

-- Status codes of NVMe commands (NVM Express base specification, figures of the status field; FreeBSD prints them with two digits): type,
-- code in hex without leading zeros and with two digits, and what it says. class: medium, protect (end-to-end protection: path or memory),
-- read-only, internal (the drive's controller), transfer (PCI Express or memory of the host), busy, path, abort, refused (a command or option
-- that the drive does not know: noise of tools).
CREATE VIEW nvme_status AS
WITH list(sct, sc, class, says) AS (VALUES
    (0, '1', 'refused', 'it does not know this command'), (0, '2', 'refused', 'it does not know an option of this command'), (0, '4', 'transfer', 'data did not get across: PCI Express link or memory of the host'),
    (0, '5', 'abort', 'the command ended with a loss of power'), (0, '6', 'internal', 'an error inside the drive'), (0, '7', 'abort', 'the host asked for the abort'),
    (0, '8', 'abort', 'its queue was deleted'), (0, 'b', 'refused', 'no such namespace'), (0, 'c', 'abort', 'a sequence of commands was broken'),
    (0, '20', 'read-only', 'the namespace is write protected'), (0, '21', 'abort', 'the command was interrupted'), (0, '22', 'transfer', 'a transient transport error'),
    (0, '80', 'refused', 'an address beyond its end'), (0, '81', 'medium', 'the capacity is exceeded: no spare blocks or no space'), (0, '82', 'busy', 'the namespace is not ready'),
    (0, '83', 'busy', 'a reservation of another host'), (0, '84', 'busy', 'a format is running'),
    (1, '9', 'refused', 'no such log page'), (1, 'a', 'refused', 'no such format'), (1, 'd', 'refused', 'the feature cannot be saved'), (1, 'e', 'refused', 'the feature cannot be changed'),
    (2, '80', 'medium', 'a write failed'), (2, '81', 'medium', 'blocks could not be read'), (2, '82', 'protect', 'the guard checksum is wrong'), (2, '83', 'protect', 'the application tag is wrong'),
    (2, '84', 'protect', 'the reference tag is wrong'), (2, '85', 'medium', 'a compare found a difference'), (2, '86', 'refused', 'access is denied'), (2, '87', 'refused', 'a block that was never written or is deallocated'),
    (3, '0', 'path', 'an internal error of the path'), (3, '1', 'path', 'the path is lost for good'), (3, '2', 'path', 'the path is inaccessible'), (3, '3', 'path', 'the path changes'),
    (3, '60', 'path', 'an error of the controller on this path'), (3, '70', 'path', 'an error of the host on this path'), (3, '71', 'abort', 'the host gave the command up, as a rule for a reset'))
SELECT sct, sc, class, says FROM list UNION ALL SELECT sct, '0' || sc, class, says FROM list WHERE length(sc) = 1;

-- Bits of the PCI Express error status registers under the names of lspci and of the kernel's log (drivers/pci/pcie/aer.c, long names of
-- 4.x too). class: wire (bad symbols, replays: contact, riser, retimer, power management), lost (the link or the device went away), answer
-- (the device did not answer a read), data (damage that was noticed), noise (probing of functions that are not there).
CREATE VIEW aer_name AS
SELECT column1 AS name, column2 AS class, column3 AS says FROM (VALUES
    ('RxErr', 'wire', 'bad symbols were received'), ('Receiver Error', 'wire', 'bad symbols were received'),
    ('BadTLP', 'wire', 'a packet arrived damaged and was sent again'), ('Bad TLP', 'wire', 'a packet arrived damaged and was sent again'),
    ('BadDLLP', 'wire', 'a packet of the link itself arrived damaged'), ('Bad DLLP', 'wire', 'a packet of the link itself arrived damaged'),
    ('Rollover', 'wire', 'a packet had to be sent four times'), ('RELAY_NUM Rollover', 'wire', 'a packet had to be sent four times'),
    ('Timeout', 'wire', 'a packet was not acknowledged in time'), ('Replay Timer Timeout', 'wire', 'a packet was not acknowledged in time'),
    ('DLP', 'lost', 'the protocol of the link broke down'), ('Data Link Protocol', 'lost', 'the protocol of the link broke down'), ('SDES', 'lost', 'the device went away without a word'),
    ('CmpltTO', 'answer', 'the device did not answer a read'), ('Completion Timeout', 'answer', 'the device did not answer a read'), ('CmpltAbrt', 'answer', 'the device aborted a read'),
    ('TLP', 'data', 'data was marked as damaged'), ('Poisoned TLP', 'data', 'data was marked as damaged'), ('ECRC', 'data', 'an end-to-end checksum was wrong'), ('MalfTLP', 'data', 'a malformed packet'),
    ('Malformed TLP', 'data', 'a malformed packet'), ('RxOF', 'data', 'a receiver overflowed'), ('FCP', 'data', 'flow control broke down'),
    ('UnsupReq', 'noise', 'a request that the device does not support'), ('Unsupported Request', 'noise', 'a request that the device does not support'), ('UnxCmplt', 'noise', 'an answer that nobody waited for'),
    ('ACSViol', 'noise', 'a request was not let through'), ('NonFatalErr', 'noise', 'an error that the receiver took as harmless'), ('Advisory Non-Fatal', 'noise', 'an error that the receiver took as harmless'),
    ('AdvNonFatalErr', 'noise', 'an error that the receiver took as harmless'), ('CorrIntErr', 'data', 'an internal error that was corrected'), ('UncorrIntErr', 'data', 'an internal error'), ('HeaderOF', 'noise', 'the log of headers is full'));

-- What storage a PCI function stands for, with the port above it: NVMe drives, and controllers of SCSI, RAID, SATA and SAS.
CREATE VIEW pcie_owner AS
WITH fn AS (
    SELECT capture, bdf, max(upstream_bdf) AS up, max(class_code) AS class_code, max(node) AS pci FROM pci_device WHERE bdf IS NOT NULL GROUP BY capture, bdf
)
SELECT p.capture, p.node, d.name, p.bdf, f.up, p.controller AS pci, 1 AS is_drive
FROM place p JOIN drive d ON d.node = p.node AND d.capture = p.capture LEFT JOIN fn f ON f.capture = p.capture AND f.bdf = p.bdf
WHERE d.bus = 'nvme' AND coalesce(d.is_virtual, 0) = 0 AND coalesce(p.boot, 0) = 0 AND p.bdf IS NOT NULL
UNION ALL
SELECT capture, pci, bdf, bdf, up, pci, 0 FROM fn WHERE class_code IN ('0100', '0104', '0106', '0107') AND pci IS NOT NULL;

-- What the kernel log of the capture's boot says of PCI Express at that storage, of its function or of the port above. class, says: what an
-- error bit means (aer_name). An error is told in several lines: `head` 1 is the one that counts it.
CREATE VIEW pcie_event AS
WITH line AS (
    SELECT e.*, coalesce(json_extract(e.fields, '$.bdf'), json_extract(e.fields, '$.src'), json_extract(e.fields, '$.port')) AS speaker FROM log_event e
    WHERE e.event IN ('aer-correctable', 'aer-uncorrectable', 'aer-bit', 'pcie-link-down', 'pciehp-event', 'pcie-contained', 'pcie-recovery') AND coalesce(e.boot, 0) = 0 AND json_valid(e.fields)
)
SELECT o.capture, o.node, o.name, o.is_drive, l.event, l.sig GLOB 'PCIE002*' AS head, l.speaker, json_extract(l.fields, '$.ev') AS ev, json_extract(l.fields, '$.res') AS res,
       json_extract(l.fields, '$.name') AS bit, a.class, a.says, coalesce(l.count, 1) AS n, l.t_mono_s, l.src, l.line
FROM line l JOIN pcie_owner o ON o.capture = l.capture AND l.speaker IN (o.bdf, o.up) LEFT JOIN aer_name a ON a.name = json_extract(l.fields, '$.name');

-- Port and drive are joined by their moment where no output has the tree of PCI: its slot or port is cut off, and exactly one NVMe drive
-- falls off the bus within two seconds.
CREATE VIEW pcie_drop AS
SELECT l.capture, max(d.node) AS node, l.event, json_extract(l.fields, '$.bdf') AS speaker, json_extract(l.fields, '$.ev') AS ev, l.t_mono_s, l.src, l.line
FROM log_event l JOIN log_event g ON g.capture = l.capture AND coalesce(g.boot, 0) = 0 AND g.src = l.src AND g.event IN ('nvme-down', 'device-gone', 'nvme-not-ready') AND abs(g.t_mono_s - l.t_mono_s) <= 2
     JOIN drive d ON d.capture = g.capture AND d.node = g.node AND d.bus = 'nvme' AND coalesce(d.is_virtual, 0) = 0
WHERE l.event IN ('pcie-link-down', 'pcie-contained') AND coalesce(l.boot, 0) = 0 AND json_valid(l.fields) AND l.t_mono_s >= 30
  AND NOT EXISTS (SELECT 1 FROM pcie_owner o WHERE o.capture = l.capture AND json_extract(l.fields, '$.bdf') IN (o.bdf, o.up))
GROUP BY l.capture, l.src, l.line HAVING count(DISTINCT d.node) = 1;

-- Corrected errors of the link of that storage: `n` by the log, `counted` by the kernel's counters since boot (both ends of the link), each
-- with its rate per day. wire 1: bits of the wire are among them; noise 1: nothing but probing noise is.
CREATE VIEW pcie_wire AS
WITH logged AS (
    -- where the firmware reports first (APEI) there are lines of bits alone
    SELECT e.capture, e.node, coalesce(nullif(max(sum(CASE WHEN e.event = 'aer-correctable' AND e.head THEN e.n ELSE 0 END), sum(CASE WHEN e.event = 'aer-correctable' AND NOT e.head THEN e.n ELSE 0 END)), 0),
                                       sum(CASE WHEN e.class = 'wire' THEN e.n ELSE 0 END)) AS n,
           max(coalesce(e.class = 'wire', 0)) AS wire, coalesce(min(CASE WHEN e.event = 'aer-bit' THEN e.class = 'noise' END), 0) AS noise,
           max(e.event = 'aer-bit' AND e.bit IN ('Timeout', 'Replay Timer Timeout', 'Rollover', 'RELAY_NUM Rollover')) AS replay
    FROM pcie_event e WHERE e.event IN ('aer-correctable', 'aer-bit') GROUP BY e.capture, e.node
), once AS (
    SELECT c.capture, c.node, substr(c.name, length('aer_dev_correctable_') + 1) AS bit, max(c.value) AS n FROM counter c WHERE c.name GLOB 'aer_dev_correctable_*' GROUP BY c.capture, c.node, c.name
), counted AS (
    SELECT o.capture, o.node, sum(CASE WHEN x.bit IN ('RxErr', 'BadTLP', 'BadDLLP', 'Rollover', 'Timeout') THEN x.n ELSE 0 END) AS n, sum(CASE WHEN x.bit = 'TOTAL_ERR_COR' THEN x.n ELSE 0 END) AS total,
           max(x.bit IN ('Rollover', 'Timeout') AND x.n > 0) AS replay
    FROM pcie_owner o JOIN once x ON x.capture = o.capture AND x.node IN (o.pci, (SELECT max(u.node) FROM pci_device u WHERE u.capture = o.capture AND u.bdf = o.up))
    GROUP BY o.capture, o.node
), up AS (
    SELECT c.id AS capture, coalesce(c.uptime_s, (SELECT max(CAST(s.value AS REAL)) FROM setting s WHERE s.capture = c.id AND s.key = 'uptime_s')) / 86400.0 AS days FROM capture c
)
SELECT o.capture, o.node, o.name, o.is_drive, l.n, c.n AS counted, c.total, coalesce(l.wire, 0) OR coalesce(c.n > 0, 0) AS wire, coalesce(l.noise, 0) AS noise, coalesce(l.replay, 0) OR coalesce(c.replay, 0) AS replay,
       CASE WHEN w.s >= 3600 THEN l.n * 86400.0 / w.s END AS log_per_day, CASE WHEN u.days >= 0.04 THEN c.n / u.days END AS per_day, u.days
FROM pcie_owner o LEFT JOIN logged l ON l.capture = o.capture AND l.node = o.node LEFT JOIN counted c ON c.capture = o.capture AND c.node = o.node
     LEFT JOIN log_cover w ON w.capture = o.capture LEFT JOIN up u ON u.capture = o.capture
WHERE l.n IS NOT NULL OR c.total IS NOT NULL;

-- ---------------------------------------------------------------- health of NVMe drives
-- The bits of critical_warning, one row per bit and reading: 0 spare, 1 temperature, 2 reliability, 3 read-only, 4 backup of volatile
-- memory, 5 persistent memory region (NVM Express base specification, SMART / Health Information log, byte 0). Of FreeBSD's kernel log
-- there are rows of bits that were set only, and of the time when they were.
CREATE VIEW nvme_warning AS
WITH bit(bit, words) AS (VALUES (0, 'available spare space below threshold'), (1, 'temperature above threshold'), (2, 'device reliability degraded'),
                                (3, 'media placed in read only mode'), (4, 'volatile memory backup device failed'), (5, NULL))
SELECT c.capture, c.node, b.bit, (CAST(c.value AS INTEGER) >> b.bit) & 1 AS is_set, 'health log' AS by, c.src, c.line
FROM counter c JOIN drive d ON d.node = c.node AND d.capture = c.capture, bit b
WHERE c.name = 'critical_warning' AND c.value BETWEEN 0 AND 255 AND coalesce(d.is_virtual, 0) = 0
UNION ALL
SELECT e.capture, e.node, b.bit, 1, 'kernel log', e.src, e.line
FROM log_event e JOIN bit b ON json_extract(e.fields, '$.warn') = b.words JOIN drive d ON d.node = e.node AND d.capture = e.capture
WHERE e.event = 'nvme-critical-warning' AND coalesce(e.boot, 0) = 0 AND json_valid(e.fields) AND coalesce(d.is_virtual, 0) = 0;

-- The worst reading of each figure of the health log and, of temperatures, of the drive's own limit: one row per drive, NULL where unknown.
CREATE VIEW nvme_health AS
SELECT d.capture, d.node, d.name, h.used, h.spare, h.spare_limit, h.media_errors, h.hours, h.hot_minutes, h.critical_minutes, h.brakes, h.brake_minutes,
       h.grown, t.celsius, t.limit_c, t.src AS t_src, t.line AS t_line, t.l_src, t.l_line
FROM drive d
LEFT JOIN (SELECT capture, node, max(CASE WHEN name = 'percentage_used' THEN value END) AS used, min(CASE WHEN name = 'available_spare' THEN value END) AS spare,
                  max(CASE WHEN name = 'available_spare_threshold' THEN value END) AS spare_limit, max(CASE WHEN name = 'media_errors' THEN value END) AS media_errors,
                  max(CASE WHEN name = 'power_on_hours' THEN value END) AS hours,
                  max(CASE WHEN name = 'warning_temp_time' THEN value END) AS hot_minutes, max(CASE WHEN name = 'critical_comp_time' THEN value END) AS critical_minutes,
                  CASE WHEN max(name IN ('thm_temp1_trans_count', 'thm_temp2_trans_count')) THEN
                      coalesce(max(CASE WHEN name = 'thm_temp1_trans_count' THEN value END), 0) + coalesce(max(CASE WHEN name = 'thm_temp2_trans_count' THEN value END), 0) END AS brakes,
                  CASE WHEN max(name IN ('thm_temp1_total_time', 'thm_temp2_total_time')) THEN
                      (coalesce(max(CASE WHEN name = 'thm_temp1_total_time' THEN value END), 0) + coalesce(max(CASE WHEN name = 'thm_temp2_total_time' THEN value END), 0)) / 60 END AS brake_minutes,
                  max(CASE WHEN name = 'warning_temp_time' THEN value END) > min(CASE WHEN name = 'warning_temp_time' THEN value END)
                  OR max(CASE WHEN name = 'critical_comp_time' THEN value END) > min(CASE WHEN name = 'critical_comp_time' THEN value END)
                  OR max(CASE WHEN name = 'thm_temp1_trans_count' THEN value END) > min(CASE WHEN name = 'thm_temp1_trans_count' THEN value END)
                  OR max(CASE WHEN name = 'thm_temp2_trans_count' THEN value END) > min(CASE WHEN name = 'thm_temp2_trans_count' THEN value END) AS grown
           FROM counter WHERE kind = 'nvme' GROUP BY capture, node) h ON h.capture = d.capture AND h.node = d.node
LEFT JOIN (SELECT s.capture, s.node, max(CAST(s.value AS REAL)) AS celsius, s.src, s.line, m.limit_c, m.src AS l_src, m.line AS l_line
           FROM setting s LEFT JOIN (SELECT capture, node, min(CAST(value AS REAL)) AS limit_c, src, line FROM setting
                                     WHERE key = 'temperature_max_celsius' AND CAST(value AS REAL) BETWEEN 40 AND 120 GROUP BY capture, node) m ON m.capture = s.capture AND m.node = s.node
           WHERE s.key = 'temperature_celsius' AND coalesce(s.boot, 0) = 0 AND CAST(s.value AS REAL) BETWEEN 1 AND 119 GROUP BY s.capture, s.node) t ON t.capture = d.capture AND t.node = d.node
WHERE d.bus = 'nvme' AND coalesce(d.is_virtual, 0) = 0;

-- NVMe drives whose reading of heat is doubtful. gap: another sensor of the same reading is 40 degrees cooler; rest: and the drive was watched
-- at rest; still: smartd read the same degree each time, lowest and highest as well; known: this firmware is reported to stick at this figure.
-- A drive at an even load keeps its degree, and a busy controller outruns its flash, so sure = 1 takes two of them.
CREATE VIEW stuck_temperature AS
WITH reading AS (
    SELECT s.capture, s.node, min(CAST(s.value AS INTEGER)) AS celsius, s.src, s.line, d.model, d.firmware
    FROM setting s JOIN drive d ON d.capture = s.capture AND d.node = s.node
    WHERE s.key = 'temperature_celsius' AND coalesce(s.boot, 0) = 0 AND d.bus = 'nvme' AND coalesce(d.is_virtual, 0) = 0 AND CAST(s.value AS REAL) BETWEEN 1 AND 119
    GROUP BY s.capture, s.node HAVING count(DISTINCT CAST(s.value AS INTEGER)) = 1
), cooler AS (
    SELECT c.capture, c.node, c.src, min(c.value) AS celsius, c.line FROM counter c WHERE c.kind = 'nvme' AND c.name GLOB 'temperature_sensor_*' AND c.value BETWEEN 1 AND 119 GROUP BY c.capture, c.node, c.src
), smartd AS ( -- three looks are an hour and more
    SELECT capture, node, sum(coalesce(count, 1)) AS n, min(CAST(json_extract(fields, '$.c') AS INTEGER)) AS low, max(CAST(json_extract(fields, '$.c') AS INTEGER)) AS high,
           min(json_extract(fields, '$.min') = json_extract(fields, '$.c') AND json_extract(fields, '$.max') = json_extract(fields, '$.c')) AS still, src, max(line) AS line
    FROM log_event WHERE event = 'smartd-temperature' AND coalesce(boot, 0) = 0 AND json_valid(fields) AND node IS NOT NULL GROUP BY capture, node
), sign AS (
    SELECT r.*, c.celsius AS other, c.src AS o_src, c.line AS o_line, m.src AS s_src, m.line AS s_line, m.n,
           c.celsius IS NOT NULL AS gap, c.celsius IS NOT NULL AND EXISTS (SELECT 1 FROM drive_load w WHERE w.capture = r.capture AND w.node = r.node AND w.n_busy = 0) AS rest,
           m.n IS NOT NULL AS still, r.celsius = 84 AND coalesce(r.model LIKE '%980%' AND r.firmware = '2B4QFXO7', 0) AS known
    FROM reading r LEFT JOIN cooler c ON c.capture = r.capture AND c.node = r.node AND c.src = r.src AND r.celsius - c.celsius >= 40
    LEFT JOIN smartd m ON m.capture = r.capture AND m.node = r.node AND m.n >= 3 AND m.still AND m.low = r.celsius AND m.high = r.celsius
)
SELECT capture, node, celsius, gap, rest, still, known, gap + rest + still + known >= 2 AS sure, src, line, o_src, o_line, s_src, s_line,
       printf('it says %d °C', celsius) || CASE WHEN gap THEN printf(' where another sensor of it says %d °C', other) ELSE '' END || CASE WHEN rest THEN ', at rest' ELSE '' END
           || CASE WHEN still THEN printf(', and never another degree in %d readings of smartd', n) ELSE '' END || CASE WHEN known THEN ', where its firmware is known to stick' ELSE '' END AS says
FROM sign WHERE gap OR still OR known;

-- ---------------------------------------------------------------- health of drives
-- How old a drive is in hours of running, by its own word.
CREATE VIEW drive_age AS
SELECT capture, node, max(CAST(value AS INTEGER)) AS hours, src, line FROM setting
WHERE key = 'power_on_hours' AND coalesce(boot, 0) = 0 AND CAST(value AS INTEGER) BETWEEN 1 AND 200000 GROUP BY capture, node;

-- Counts of places that could not be read or were replaced, whatever the maker calls them; a row per reading. Left out: 198 where its name says
-- that it counts traffic (Indilinx controllers).
CREATE VIEW media_counter AS
SELECT c.capture, c.node,
       CASE WHEN c.kind = 'ata' THEN CASE c.id WHEN 5 THEN 'moved' WHEN 187 THEN 'reported' WHEN 197 THEN 'pending' WHEN 198 THEN 'offline' END
            WHEN c.kind = 'devstat' THEN 'reported' WHEN c.name = 'media_errors' THEN 'media' WHEN c.name = 'background_scan_unrepaired' THEN 'pending' ELSE 'uncorrected' END AS what,
       c.name, c.id, c.value, c.src, c.line
FROM counter c
WHERE (c.kind = 'ata' AND c.id IN (5, 187, 197, 198) AND c.name NOT LIKE '%GiB%' AND c.name NOT LIKE '%_Tot_%' AND c.name NOT LIKE '%Writes%' AND c.name NOT LIKE '%Reads%')
   -- Seagate's small disks and most SSDs count something else there; disks of makers without attribute 187 mean it
   OR (c.kind = 'devstat' AND c.name = 'Number of Reported Uncorrectable Errors' AND c.value IS NOT NULL AND EXISTS (SELECT 1 FROM drive d WHERE d.node = c.node AND d.capture = c.capture AND d.media = 'hdd')
       AND NOT EXISTS (SELECT 1 FROM counter o WHERE o.capture = c.capture AND o.node = c.node AND o.kind = 'ata' AND o.id = 187)) OR c.name IN ('media_errors', 'background_scan_unrepaired')
   OR (c.kind = 'scsi' AND c.name LIKE '%total_uncorrected_errors');

-- Entries of a drive's error log by kind (icrc unc idnf abrt; abrt_data: those of abrt that refused to read, write or flush). `age_h`: hours of running since the newest of the kind; NULL where either figure is
-- missing. The log counts hours modulo 65536.
CREATE VIEW logged_error AS
WITH one AS (
    SELECT c.capture, c.node, substr(c.name, 11) AS kind, c.value AS n, h.value AS at_h, p.value AS places,
           CASE WHEN h.value IS NULL OR a.hours IS NULL THEN NULL WHEN h.value > 65535 THEN a.hours - h.value WHEN a.hours < 65536 AND h.value > a.hours THEN CASE WHEN h.value - a.hours <= 2 THEN 0 END ELSE (a.hours % 65536 - CAST(h.value AS INTEGER) + 65536) % 65536 END AS age_h,
           c.src, c.line
    FROM counter c LEFT JOIN counter h ON h.capture = c.capture AND h.node = c.node AND h.name = c.name || '_hours' AND h.src = c.src
         LEFT JOIN counter p ON p.capture = c.capture AND p.node = c.node AND p.name = c.name || '_places' AND p.src = c.src
         LEFT JOIN drive_age a ON a.capture = c.capture AND a.node = c.node
    WHERE c.name IN ('error_log_icrc', 'error_log_unc', 'error_log_idnf', 'error_log_abrt', 'error_log_abrt_data') AND c.value > 0
)
SELECT o.*, CASE WHEN age_h IS NULL THEN coalesce('at ' || CAST(at_h AS INTEGER) || ' hours of running', 'when is not said') WHEN age_h < 48 THEN CAST(age_h AS INTEGER) || ' hours of running ago'
                 ELSE CAST(age_h / 24 AS INTEGER) || ' days of running ago' END AS ago
FROM one o;

-- A drive's log of self-tests: failed ones, those that no later long test outdates (`open`), long ones that found nothing, and how many hours of
-- running ago; `words` is what the newest failure found.
CREATE VIEW self_test AS
WITH one AS (
    SELECT c.capture, c.node, c.src, max(c.value) AS failed, c.line FROM counter c WHERE c.name = 'self_tests_failed' GROUP BY c.capture, c.node, c.src
), last AS (SELECT o.*, row_number() OVER (PARTITION BY capture, node ORDER BY src DESC) AS rank FROM one o), all_of AS (
    SELECT l.capture, l.node, l.failed, coalesce(o.value, l.failed) AS open, coalesce(g.value, 0) AS passed_long, f.value AS failed_at_h, w.value AS words, b.value AS lba,
       CASE WHEN f.value IS NULL OR a.hours IS NULL THEN NULL WHEN f.value > 65535 THEN a.hours - f.value WHEN a.hours < 65536 AND f.value > a.hours THEN CASE WHEN f.value - a.hours <= 2 THEN 0 END ELSE (a.hours % 65536 - CAST(f.value AS INTEGER) + 65536) % 65536 END AS failed_age_h,
       CASE WHEN h.value IS NULL OR a.hours IS NULL THEN NULL WHEN h.value > 65535 THEN a.hours - h.value WHEN a.hours < 65536 AND h.value > a.hours THEN CASE WHEN h.value - a.hours <= 2 THEN 0 END ELSE (a.hours % 65536 - CAST(h.value AS INTEGER) + 65536) % 65536 END AS long_age_h,
       l.src, l.line, coalesce(g.line, l.line) AS long_line
    FROM last l LEFT JOIN counter o ON o.capture = l.capture AND o.node = l.node AND o.src = l.src AND o.name = 'self_tests_failed_open'
     LEFT JOIN counter g ON g.capture = l.capture AND g.node = l.node AND g.src = l.src AND g.name = 'self_tests_passed_long'
     LEFT JOIN counter f ON f.capture = l.capture AND f.node = l.node AND f.src = l.src AND f.name = 'self_test_failed_hours'
     LEFT JOIN counter h ON h.capture = l.capture AND h.node = l.node AND h.src = l.src AND h.name = 'self_test_long_hours'
     LEFT JOIN setting w ON w.capture = l.capture AND w.node = l.node AND w.src = l.src AND w.key = 'self_test_failure'
     LEFT JOIN setting b ON b.capture = l.capture AND b.node = l.node AND b.src = l.src AND b.key = 'self_test_failure_lba'
     LEFT JOIN drive_age a ON a.capture = l.capture AND a.node = l.node
    WHERE l.rank = 1 GROUP BY l.capture, l.node
)
SELECT x.*, CASE WHEN failed_age_h IS NULL THEN coalesce('at ' || CAST(failed_at_h AS INTEGER) || ' hours of running', 'when is not said') WHEN failed_age_h < 48 THEN CAST(failed_age_h AS INTEGER) || ' hours of running ago'
                 ELSE CAST(failed_age_h / 24 AS INTEGER) || ' days of running ago' END AS failed_ago,
       CASE WHEN long_age_h IS NULL THEN 'when is not said' WHEN long_age_h < 48 THEN CAST(long_age_h AS INTEGER) || ' hours of running ago' ELSE CAST(long_age_h / 24 AS INTEGER) || ' days of running ago' END AS long_ago
FROM all_of x;

-- Rated writes that a SATA or SAS SSD has used up, per cent: the standard figure (`sure` 0.9), else an attribute whose name says life (0.7). VALUE of
-- such attributes falls from 100; the raw value is another matter with each maker, but for 169 of Silicon Motion, whose VALUE stands still.
CREATE VIEW ssd_wear AS
WITH one AS (
    SELECT c.capture, c.node, c.name, c.value AS used_pct, 0.9 AS sure, c.src, c.line FROM counter c
    WHERE (c.kind = 'devstat' AND c.name IN ('Percentage Used Endurance Indicator', 'endurance_used_percent')) OR (c.kind = 'scsi' AND c.name = 'percentage_used')
    UNION ALL
    SELECT c.capture, c.node, c.name, 100 - CASE WHEN c.id = 169 AND c.value BETWEEN 1 AND 100 THEN min(c.value, c.normalized) ELSE c.normalized END, 0.7, c.src, c.line
    FROM counter c JOIN drive d ON d.node = c.node AND d.capture = c.capture
    WHERE c.kind = 'ata' AND c.normalized BETWEEN 0 AND 100
      AND (c.name IN ('SSD_Life_Left', 'SSD_Life_Left_Perc', 'Lifetime_Left', 'Percent_Lifetime_Remain', 'Remaining_Lifetime_Perc', 'Percent_Life_Remaining', 'Lifetime_Remaining%',
                      'Perc_Rated_Life_Used', 'Percent_Lifetime_Used')
           -- WD gives this name to 230, which is packed; of Samsung's family only this one falls with wear
           OR (c.name = 'Media_Wearout_Indicator' AND c.id = 233) OR (c.name = 'Wear_Leveling_Count' AND c.id = 177 AND d.model LIKE '%SAMSUNG%'))
), told AS (SELECT o.*, row_number() OVER (PARTITION BY capture, node ORDER BY sure DESC, used_pct DESC, src, line) AS rank FROM one o)
SELECT t.capture, t.node, t.name, t.used_pct, t.sure, t.src, t.line FROM told t JOIN drive d ON d.node = t.node AND d.capture = t.capture
WHERE t.rank = 1 AND d.media = 'ssd' AND coalesce(d.is_virtual, 0) = 0;

-- How hot a disk or SSD is and was: `celsius` when it was asked, the most since it was switched on and of its life, the median of what it kept
-- (SCT), and its limit: the drive's own (some disks name 40, which none is meant for), else 60 (hdd) or 70 °C (ssd). Two sensors 40 K apart are no reading: one of them is broken.
CREATE VIEW drive_heat AS
SELECT s.capture, s.node, d.name, d.media, max(CAST(s.value AS REAL)) AS celsius, s.src, s.line,
       (SELECT max(CAST(m.value AS REAL)) FROM setting m WHERE m.capture = s.capture AND m.node = s.node AND m.key IN ('temperature_cycle_max_celsius', 'temperature_history_max_celsius')) AS cycle_max,
       (SELECT max(v) FROM (SELECT CAST(m.value AS REAL) AS v FROM setting m WHERE m.capture = s.capture AND m.node = s.node AND m.key = 'temperature_lifetime_max_celsius'
                            UNION ALL SELECT c.value FROM counter c WHERE c.capture = s.capture AND c.node = s.node AND c.kind = 'devstat' AND c.name = 'Highest Temperature' AND c.value BETWEEN 1 AND 120)) AS life_max,
       (SELECT max(CAST(m.value AS REAL)) FROM setting m WHERE m.capture = s.capture AND m.node = s.node AND m.key = 'temperature_history_median_celsius') AS median,
       (SELECT max(CAST(m.value AS REAL)) FROM setting m WHERE m.capture = s.capture AND m.node = s.node AND m.key = 'temperature_history_hours') AS median_h,
       coalesce((SELECT min(CAST(m.value AS REAL)) FROM setting m WHERE m.capture = s.capture AND m.node = s.node
                 AND m.key = 'temperature_max_celsius' AND CAST(m.value AS REAL) BETWEEN 50 AND 100),
                (SELECT min(c.value) FROM counter c WHERE c.capture = s.capture AND c.node = s.node AND c.kind = 'devstat' AND c.name = 'Specified Maximum Operating Temperature'
                 AND c.value BETWEEN 50 AND 100),
                CASE d.media WHEN 'hdd' THEN 60.0 ELSE 70.0 END) AS limit_c
FROM setting s JOIN drive d ON d.node = s.node AND d.capture = s.capture
WHERE s.key = 'temperature_celsius' AND coalesce(s.boot, 0) = 0 AND CAST(s.value AS REAL) BETWEEN 1 AND 119
  AND d.media IN ('hdd', 'ssd') AND coalesce(d.is_virtual, 0) = 0
  AND NOT EXISTS (SELECT 1 FROM counter c WHERE c.capture = s.capture AND c.node = s.node AND c.kind = 'ata' AND c.id IN (190, 194) AND c.value BETWEEN 1 AND 119
                  AND abs(c.value - CAST(s.value AS REAL)) >= 40)
GROUP BY s.capture, s.node;

-- What says that memory is short, in words; the first (ord) speaks for it: what the kernel measures, swapping in most samples, processes
-- that were ended. The limit of a container is not the host's memory, and a large page that was not found is no shortage.
CREATE VIEW memory_short AS
WITH psi AS (
    SELECT capture, avg60_pct AS v, src, line, row_number() OVER (PARTITION BY capture ORDER BY avg60_pct DESC, src, line) AS rank FROM pressure WHERE resource = 'memory' AND kind = 'full' AND avg60_pct >= 5
), swap AS (
    SELECT x.capture, max(coalesce(x.p50, x.mean)) / 1024 AS v, x.src, coalesce(x.worst_line, x.line) AS line, x.n FROM distribution x JOIN host h ON h.node = x.node AND h.capture = x.capture
    WHERE x.metric IN ('swap_in_bytes_s', 'swap_out_bytes_s') AND x.basis <> 'lifetime average' AND x.n >= 5 AND CASE WHEN x.p50 IS NOT NULL THEN x.p50 >= 102400 ELSE x.mean >= 1048576 END
    GROUP BY x.capture
), oom AS (
    SELECT l.capture, sum(coalesce(l.count, 1)) AS v, min(l.src) AS src, first_line(l.src, l.line) AS line FROM log_event l
    WHERE l.event = 'out-of-memory' AND coalesce(l.boot, 0) = 0 AND json_extract(CASE WHEN json_valid(l.fields) THEN l.fields ELSE '{}' END, '$.order') IS NULL
      AND coalesce(json_extract(CASE WHEN json_valid(l.fields) THEN l.fields ELSE '{}' END, '$.con'), '') <> 'CONSTRAINT_MEMCG'
    GROUP BY l.capture
), full AS (
    SELECT l.capture, sum(coalesce(l.count, 1)) AS v, min(l.src) AS src, first_line(l.src, l.line) AS line FROM log_event l WHERE l.event = 'swap-full' AND coalesce(l.boot, 0) = 0 GROUP BY l.capture
)
SELECT capture, 1 AS ord, v, '%' AS unit, 5.0 AS threshold, 0.95 AS sure, 'present value' AS basis, src, line, printf('for %.1f %% of the last minute nothing could run for want of memory', v) AS words FROM psi WHERE rank = 1
UNION ALL SELECT capture, 2, v, 'KiB/s', 100.0, CASE WHEN n >= 20 THEN 0.9 ELSE 0.7 END, n || ' samples', src, line, printf('it swaps %.0f KiB per second, in most of %d samples', v, n) FROM swap
UNION ALL SELECT capture, 3, v, 'processes', 1.0, 0.8, 'kernel log', src, line, 'the kernel ended ' || CASE v WHEN 1 THEN 'a process' ELSE CAST(v AS INTEGER) || ' processes' END || ' to get memory' FROM oom
-- FreeBSD says so before it ends a process; a host may come through
UNION ALL SELECT capture, 4, v, 'lines', 1.0, 0.6, 'kernel log', src, line, 'the swap space was full (' || CASE v WHEN 1 THEN 'one line' ELSE CAST(v AS INTEGER) || ' lines' END || ' of the kernel log)' FROM full;

-- Captures of virtual machines; a container shows the hardware of its host.
CREATE VIEW virtual_machine AS
SELECT DISTINCT capture FROM setting WHERE key = 'virtualization' AND coalesce(boot, 0) = 0
  AND value NOT IN ('none', '', 'lxc', 'lxc-libvirt', 'docker', 'podman', 'systemd-nspawn', 'openvz', 'rkt', 'container-other', 'jail');

-- How much of its time a virtual machine waits for its host to run it, per cent: of a series, of top or mpstat, or since boot (life), in this
-- order; one row. Only a guest is told of steal, so who shows it is one, unless something says that it is not.
CREATE VIEW cpu_steal AS
WITH st AS (
    SELECT x.capture, x.node, x.tool, x.n, max(coalesce(x.p50, x.mean), CASE WHEN x.n >= 30 THEN x.mean ELSE 0 END) AS v, x.basis = 'lifetime average' AS life, x.basis, x.src, coalesce(x.worst_line, x.line) AS line,
           row_number() OVER (PARTITION BY x.capture, x.node ORDER BY x.basis = 'lifetime average', x.n DESC, x.tool, x.src) AS rank
    FROM distribution x JOIN host h ON h.node = x.node AND h.capture = x.capture
    WHERE x.metric = 'cpu_steal_pct' AND coalesce(x.p50, x.mean) IS NOT NULL AND (x.n >= 5 OR x.basis = 'lifetime average')
), mean AS ( -- top and mpstat
    SELECT s.capture, s.node, coalesce((SELECT CASE o.tool WHEN 'top' THEN 'top' ELSE 'mpstat' END FROM source o WHERE o.id = s.src), 'top or mpstat') AS tool, CAST(s.value AS REAL) AS v, s.src, s.line,
           row_number() OVER (PARTITION BY s.capture ORDER BY CAST(s.value AS REAL) DESC, s.src, s.line) AS rank
    FROM setting s JOIN host h ON h.node = s.node AND h.capture = s.capture WHERE s.key = 'cpu_steal_pct' AND coalesce(s.boot, 0) = 0
), one AS (
    SELECT capture, node, tool, n, v, life, basis, src, line FROM st WHERE rank = 1
    UNION ALL SELECT capture, node, tool, NULL, v, 0, 'mean of its intervals', src, line FROM mean m WHERE rank = 1 AND NOT EXISTS (SELECT 1 FROM st WHERE st.capture = m.capture AND NOT st.life)
)
SELECT capture, node, tool, n, v, life, basis, src, line
FROM (SELECT *, row_number() OVER (PARTITION BY capture ORDER BY life) AS place FROM one) o
WHERE place = 1
  AND NOT EXISTS (SELECT 1 FROM setting s WHERE s.capture = o.capture AND s.node = o.node AND s.key = 'virtualization' AND coalesce(s.boot, 0) = 0 AND s.value = 'none'
                  AND NOT EXISTS (SELECT 1 FROM virtual_machine v WHERE v.capture = o.capture));

-- Disks of machines in a cloud: EBS and instance store of Amazon tell themselves, others by who made the machine.
CREATE VIEW cloud_drive AS
SELECT d.capture, d.node, CASE WHEN d.model LIKE 'Amazon Elastic%' THEN 'EBS' WHEN d.model LIKE 'Amazon EC2 NVMe Instance Storage%' THEN 'instance store' ELSE 'volume' END AS what
FROM drive d
WHERE d.behind_raid IS NULL
  AND (d.model LIKE 'Amazon EC2 NVMe Instance Storage%' OR d.is_virtual = 1
       AND (d.model LIKE 'Amazon Elastic%' OR d.model LIKE '%PersistentDisk%' OR d.vendor = 'Google' OR d.model LIKE 'nvme_card%'
            OR EXISTS (SELECT 1 FROM setting s JOIN host h ON h.node = s.node AND h.capture = s.capture
                       WHERE s.capture = d.capture AND s.key IN ('dmi_sys_vendor', 'dmi_product_name') AND coalesce(s.boot, 0) = 0
                         AND (s.value LIKE 'Amazon EC2%' OR s.value LIKE 'Google%' OR s.value LIKE 'Alibaba Cloud%' OR s.value LIKE 'OpenStack%' OR s.value LIKE 'OracleCloud%'
                              OR s.value IN ('Microsoft Corporation', 'DigitalOcean', 'Droplet', 'Hetzner', 'vServer', 'UpCloud', 'Scaleway')))));

-- The waits of disks of which nothing says what they are made of: of a virtual machine, a RAID controller whose drives nobody listed, or
-- known by name alone. What is too long for a hard disk is too long for them as well; a shorter wait proves nothing. No lone reports.
CREATE VIEW drive_any_wait AS
SELECT x.capture, x.node, x.metric, x.n_busy, x.busy_p50, x.basis, x.src, x.line, row_number() OVER (PARTITION BY x.capture, x.node, x.metric ORDER BY x.tool = 'diskstats', x.n DESC, x.src) AS rank
FROM distribution x JOIN drive d ON d.node = x.node AND d.capture = x.capture
WHERE x.metric IN ('r_await_ms', 'w_await_ms') AND x.basis <> 'lifetime average' AND d.slow_wait_ms IS NULL AND coalesce(d.media, 'virtual') = 'virtual' AND coalesce(d.removable, 0) = 0
  AND d.name NOT GLOB 'sr[0-9]*' AND d.name NOT GLOB 'fd[0-9]*';

-- Disks of guests with their names for words. inside: the capture was made in a virtual machine, so what it felt may come from such a
-- disk; on a hypervisor the waits of its own drives do not. newest: what was printed last, where one disk stands in several outputs.
CREATE VIEW guest_disk_seen AS
SELECT g.*, coalesce(g.guest, 'a guest') || ' ' || coalesce(g.slot, 'disk') AS words, EXISTS (SELECT 1 FROM virtual_machine v WHERE v.capture = g.capture) AS inside,
       row_number() OVER (PARTITION BY g.capture, g.guest, g.slot ORDER BY g.src DESC, g.line DESC) = 1 AS newest
FROM guest_disk g;

-- ---------------------------------------------------------------- PCI Express links
-- What one lane carries after the line code, GB/s (10^9): 8b/10b up to 5 GT/s, 128b/130b up to 32, 242 of 256 bytes at 64.
CREATE VIEW pcie_rate AS
SELECT column1 AS gtps, column2 AS lane_gb_s FROM (VALUES (2.5, 0.25), (5.0, 0.5), (8.0, 128 / 130.0), (16.0, 256 / 130.0), (32.0, 512 / 130.0), (64.0, 8 * 242 / 256.0));

-- The links of NVMe drives and of RAID controllers and HBAs (is_drive 0), where both what runs and what could is known: what runs now, what
-- the own end can do, what the port above can (NULL: unknown, or made up by a hypervisor), in GT/s and lanes and in GB/s. `can` is the
-- smaller of both ends. Of several readings of one function the fastest counts, since a link at rest slows down. tied says what ties the
-- figures to the drive: 'address'; 'log': the kernel's line about the bandwidth at boot, where nobody read the link; 'command': the lines had
-- no address and the command line told the drive; whose LnkCap it is is open then. src, line are LnkSta's, own_src, own_line LnkCap's.
CREATE VIEW pcie_link AS
WITH said AS (
    SELECT capture, bdf, lnkcap_gtps AS cap_gtps, lnkcap_width AS cap_width, coalesce(lnkcap_line, line) AS cap_line,
           lnksta_gtps AS sta_gtps, lnksta_width AS sta_width, coalesce(lnksta_line, line) AS sta_line, NULL AS at, 0 AS at_boot, src
    FROM pci_device WHERE bdf IS NOT NULL
    UNION ALL
    SELECT capture, json_extract(fields, '$.bdf'), CAST(json_extract(fields, '$.cspeed') AS REAL), CAST(json_extract(fields, '$.cwidth') AS INTEGER), line,
           CAST(json_extract(fields, '$.lspeed') AS REAL), CAST(json_extract(fields, '$.lwidth') AS INTEGER), line, json_extract(fields, '$.at'), 1, src
    FROM log_event WHERE event = 'pcie-bandwidth-limited' AND coalesce(boot, 0) = 0 AND json_valid(fields)
    UNION ALL
    SELECT capture, json_extract(fields, '$.bdf'), CAST(json_extract(fields, '$.speed') AS REAL), CAST(json_extract(fields, '$.width') AS INTEGER), line,
           CAST(json_extract(fields, '$.speed') AS REAL), CAST(json_extract(fields, '$.width') AS INTEGER), line, NULL, 1, src
    FROM log_event WHERE event = 'pcie-bandwidth-full' AND coalesce(boot, 0) = 0 AND json_valid(fields)
), cap AS MATERIALIZED (
    SELECT capture, bdf, cap_gtps AS gtps, cap_width AS width, src, cap_line AS line,
           row_number() OVER (PARTITION BY capture, bdf ORDER BY at_boot, cap_gtps * cap_width DESC, src, cap_line) AS rank
    FROM said WHERE cap_gtps > 0 AND cap_width > 0
), sta AS MATERIALIZED (
    SELECT capture, bdf, sta_gtps AS gtps, sta_width AS width, at, at_boot, src, sta_line AS line,
           row_number() OVER (PARTITION BY capture, bdf ORDER BY at_boot, sta_gtps * sta_width DESC, src, sta_line) AS rank
    FROM said WHERE sta_gtps > 0 AND sta_width > 0
), fn AS MATERIALIZED (
    SELECT capture, bdf, max(node) AS node, max(upstream_bdf) AS up, max(coalesce(emulated, 0)) AS emulated, max(class_code) AS class_code,
           max(coalesce(name, vendor_id || ':' || device_id)) AS name
    FROM pci_device WHERE bdf IS NOT NULL GROUP BY capture, bdf
), owner AS (
    SELECT p.capture, p.node, d.name, 1 AS is_drive, p.bdf
    FROM place p JOIN drive d ON d.node = p.node AND d.capture = p.capture
    WHERE d.bus = 'nvme' AND coalesce(d.is_virtual, 0) = 0 AND coalesce(p.boot, 0) = 0 AND p.bdf IS NOT NULL
    UNION ALL
    SELECT capture, node, name, 0, bdf FROM fn WHERE class_code IN ('0104', '0107') AND node IS NOT NULL
), link AS (
    SELECT o.capture, o.node, o.name, o.is_drive, o.bdf, CASE WHEN s.at_boot THEN 'log' ELSE 'address' END AS tied, s.gtps AS runs_gtps, s.width AS runs_width, s.src, s.line,
           c.gtps AS own_gtps, c.width AS own_width, c.src AS own_src, c.line AS own_line, coalesce(x.up, s.at) AS upstream_bdf, coalesce(x.emulated, 0) AS emulated
    FROM owner o JOIN sta s ON s.capture = o.capture AND s.bdf = o.bdf AND s.rank = 1 JOIN cap c ON c.capture = o.capture AND c.bdf = o.bdf AND c.rank = 1
    LEFT JOIN fn x ON x.capture = o.capture AND x.bdf = o.bdf
    UNION ALL
    SELECT d.capture, d.node, d.name, 1, NULL, 'command', CAST(g.value AS REAL), CAST(w.value AS INTEGER), g.src, g.line,
           CAST(cg.value AS REAL), CAST(cw.value AS INTEGER), cw.src, cw.line, NULL, 0
    FROM drive d JOIN setting g ON g.node = d.node AND g.capture = d.capture AND g.key = 'pcie_link_gtps' AND coalesce(g.boot, 0) = 0
         JOIN setting w ON w.src = g.src AND w.node = g.node AND w.capture = g.capture AND w.key = 'pcie_link_width'
         JOIN setting cg ON cg.src = g.src AND cg.node = g.node AND cg.capture = g.capture AND cg.key = 'pcie_link_max_gtps'
         JOIN setting cw ON cw.src = g.src AND cw.node = g.node AND cw.capture = g.capture AND cw.key = 'pcie_link_max_width'
    WHERE d.bus = 'nvme' AND coalesce(d.is_virtual, 0) = 0 AND CAST(g.value AS REAL) > 0 AND CAST(w.value AS INTEGER) > 0
), one AS ( -- an address before a command line before the log
    SELECT *, row_number() OVER (PARTITION BY capture, node ORDER BY tied, bdf, src, line) AS rank FROM link
), both_ends AS (
    SELECT o.*, u.gtps AS up_gtps, u.width AS up_width, u.src AS up_src, u.line AS up_line,
           min(o.own_gtps, coalesce(u.gtps, o.own_gtps)) AS can_gtps, min(o.own_width, coalesce(u.width, o.own_width)) AS can_width
    FROM one o LEFT JOIN fn p ON p.capture = o.capture AND p.bdf = o.upstream_bdf
         LEFT JOIN cap u ON u.capture = o.capture AND u.bdf = o.upstream_bdf AND u.rank = 1 AND coalesce(p.emulated, 0) = 0
    WHERE o.rank = 1 AND o.emulated = 0
)
SELECT b.capture, b.node, b.name, b.is_drive, b.bdf, b.tied, b.runs_gtps, b.runs_width, b.own_gtps, b.own_width, b.up_gtps, b.up_width, b.upstream_bdf, b.can_gtps, b.can_width,
       b.src, b.line, b.own_src, b.own_line, b.up_src, b.up_line,
       r.lane_gb_s * b.runs_width AS runs_gb_s, c.lane_gb_s * b.can_width AS can_gb_s, o.lane_gb_s * b.own_width AS own_gb_s, u.lane_gb_s * b.up_width AS up_gb_s
FROM both_ends b JOIN pcie_rate r ON abs(r.gtps - b.runs_gtps) < 0.3 JOIN pcie_rate c ON abs(c.gtps - b.can_gtps) < 0.3 JOIN pcie_rate o ON abs(o.gtps - b.own_gtps) < 0.3
     LEFT JOIN pcie_rate u ON abs(u.gtps - b.up_gtps) < 0.3
-- the slots of a virtual machine are made up: there only a real port above would tell
WHERE b.up_gtps IS NOT NULL OR NOT EXISTS (SELECT 1 FROM virtual_machine v WHERE v.capture = b.capture);

-- How much a drive was seen to do in this capture: busy samples, and the highest rate of reads and writes together, MB/s. n_busy is 0
-- where it was watched and at rest, and there is no row where nobody watched. busy: 1 it worked at least half of the time, 0 a quarter at
-- most, NULL between.
CREATE VIEW drive_load AS
SELECT capture, node, max(coalesce(n_busy, 0)) AS n_busy,
       CASE WHEN max(coalesce(n_busy, 0)) >= 5 AND max(coalesce(n_busy, 0)) * 2 >= max(n) THEN 1 WHEN max(coalesce(n_busy, 0)) * 4 <= max(n) THEN 0 END AS busy,
       (coalesce(max(CASE WHEN metric = 'r_bytes_s' THEN coalesce(p95, p50, mean) END), 0)
        + coalesce(max(CASE WHEN metric = 'w_bytes_s' THEN coalesce(p95, p50, mean) END), 0)) / 1e6 AS mb_s
FROM distribution
WHERE basis NOT IN ('lifetime average', 'io percentiles') AND metric IN ('r_s', 'w_s', 'r_bytes_s', 'w_bytes_s', 'r_await_ms', 'w_await_ms')
GROUP BY capture, node;

-- ---------------------------------------------------------------- what SCSI and SAS codes say
-- SCSI additional sense codes: asc, and ascq from low to high, two hex digits each; `pattern` is the kernel's text (drivers/scsi/
-- sense_codes.h), for LIKE. class: medium (the drive's surface), drive (the drive itself), prefail (it announces its failure), path
-- (wire, expander), reset, power, array, heat, busy (it works, later), refused (a command it does not know: noise), protect, size, test, info.
CREATE VIEW sense_code AS
SELECT column1 AS asc, column2 AS low, column3 AS high, column4 AS pattern, column5 AS class, column6 AS says FROM (VALUES
    ('04', '01', '01', 'Logical unit is in process of becoming ready', 'busy', 'it is starting'),
    ('04', '02', '02', 'Logical unit not ready, initializing command required', 'power', 'it stands still and waits for a start command'),
    ('04', '03', '03', 'Logical unit not ready, manual intervention required', 'drive', 'it is dead or locked'),
    ('04', '04', '04', 'Logical unit not ready, format in progress', 'busy', 'it is being formatted'),
    ('04', '09', '09', 'Logical unit not ready, self-test in progress', 'busy', 'a self-test keeps it busy'),
    ('04', '11', '11', 'Logical unit not ready, notify (enable spinup) required', 'power', 'it waits for its turn to spin up'),
    ('04', '12', '12', 'Logical unit not ready, offline', 'array', 'the array or target took it offline'),
    ('04', '1c', '1c', 'Logical unit not ready, additional power use not yet granted', 'power', 'the enclosure does not grant it more power yet'),
    ('08', '00', '00', 'Logical unit communication failure', 'path', 'nobody could talk to it'),
    ('08', '01', '01', 'Logical unit communication time-out', 'path', 'talking to it took too long'),
    ('0b', '01', '01', 'Warning - specified temperature exceeded', 'heat', 'it is too hot'),
    ('0b', '03', '03', 'Warning - background self-test failed', 'prefail', 'its background self-test failed'),
    ('0b', '04', '04', 'Warning - background pre-scan detected medium error', 'prefail', 'its background scan met a bad spot'),
    ('0b', '05', '05', 'Warning - background media scan detected medium error', 'prefail', 'its background scan met a bad spot'),
    ('0b', '06', '06', 'Warning - non-volatile cache now volatile', 'array', 'its cache lost its battery'),
    ('0b', '07', '07', 'Warning - degraded power to non-volatile cache', 'array', 'the battery of its cache is weak'),
    ('0c', '00', '00', 'Write error', 'medium', 'a write failed'),
    ('0c', '01', '01', 'Write error - recovered with auto reallocation', 'medium', 'a write went to a spare sector'),
    ('0c', '02', '02', 'Write error - auto reallocation failed', 'medium', 'a write failed and no spare sector took it'),
    ('0c', '03', '03', 'Write error - recommend reassignment', 'medium', 'a write failed'),
    ('10', '00', '01', 'ID CRC or ECC error', 'medium', 'a checksum of the sector is wrong'),
    ('10', '01', '01', 'Logical block guard check failed', 'medium', 'the protection information of a block is wrong: medium, wire or memory of the adapter'),
    ('11', '00', 'ff', 'Unrecovered read error%', 'medium', 'a sector could not be read'),
    ('11', '04', '04', 'Unrecovered read error - auto reallocate failed', 'medium', 'a sector could not be read (so libata words every unreadable sector)'),
    ('14', '00', '01', 'Record%not found', 'medium', 'a sector could not be found'),
    ('14', '00', '00', 'Recorded entity not found', 'medium', 'a sector could not be found'),
    ('15', '00', '02', '%ositioning error%', 'drive', 'its heads did not get where they should'),
    ('16', '00', 'ff', 'Data synchronization mark error%', 'medium', 'a mark on the surface could not be read'),
    ('17', '00', 'ff', 'Recovered data with%', 'prefail', 'data were saved by repeated reading'),
    ('18', '00', 'ff', 'Recovered data with error corr%', 'prefail', 'data were saved by error correction'),
    ('18', '02', '02', 'Recovered data - data auto-reallocated', 'medium', 'data were saved and went to a spare sector'),
    ('19', '00', 'ff', 'Defect list error%', 'drive', 'its list of defects cannot be read'),
    ('1c', '00', 'ff', '%efect list not found', 'drive', 'its list of defects cannot be found'),
    ('20', '00', '00', 'Invalid command operation code', 'refused', 'it does not know this command'),
    ('21', '00', '00', 'Logical block address out of range', 'size', 'an address beyond its end was asked for'),
    ('24', '00', '00', 'Invalid field in cdb', 'refused', 'it does not know this option'),
    ('25', '00', '00', 'Logical unit not supported', 'refused', 'there is nothing at that address'),
    ('26', '00', 'ff', 'Invalid field in parameter list', 'refused', 'it does not know this parameter'),
    ('27', '00', '00', 'Write protected', 'protect', 'it takes no writes'),
    ('27', '01', '01', 'Hardware write protected', 'protect', 'it takes no writes'),
    ('27', '07', '07', 'Space allocation failed write protect', 'protect', 'the storage behind this thin volume is full'),
    ('29', '00', '04', 'Power on, reset, or bus device reset occurred', 'reset', 'it was reset or lost power'),
    ('29', '01', '01', 'Power on occurred', 'power', 'it had no power for a moment'),
    ('29', '02', '02', 'Scsi bus reset occurred', 'reset', 'its bus was reset'),
    ('29', '03', '03', 'Bus device reset function occurred', 'reset', 'it was reset'),
    ('29', '04', '04', 'Device internal reset', 'reset', 'it reset itself'),
    ('2a', '01', '01', 'Mode parameters changed', 'info', 'somebody changed its settings'),
    ('2a', '09', '09', 'Capacity data has changed', 'info', 'its size changed'),
    ('31', '00', '00', 'Medium format corrupted', 'drive', 'its format is damaged'),
    ('31', '01', '01', 'Format command failed', 'drive', 'formatting failed'),
    ('32', '00', '00', 'No defect spare location available', 'drive', 'it has no spare sectors left'),
    ('3e', '01', '01', 'Logical unit failure', 'drive', 'it failed'),
    ('3e', '02', '02', 'Timeout on logical unit', 'drive', 'it did not answer in time'),
    ('3e', '03', '03', 'Logical unit failed self-test', 'drive', 'its self-test failed'),
    ('3f', '01', '01', 'Microcode has been changed', 'info', 'its firmware was changed'),
    ('44', '00', '00', 'Internal target failure', 'drive', 'its firmware failed'),
    ('47', '00', '00', 'SCSI parity error', 'path', 'a transfer arrived damaged'),
    ('47', '01', '01', 'Data phase CRC error detected', 'path', 'a transfer arrived damaged'),
    ('47', '03', '03', 'Information unit iuCRC error detected', 'path', 'a transfer arrived damaged'),
    ('4b', '03', '03', 'ACK/NAK timeout', 'path', 'a transfer was not acknowledged'),
    ('4b', '04', '04', 'NAK received', 'path', 'a transfer was refused as damaged'),
    ('5d', '00', '00', 'Failure prediction threshold exceeded', 'prefail', 'it announces its failure'),
    ('5d', '10', '6c', '%impending failure%', 'prefail', 'it announces its failure'),
    ('5d', '73', '73', 'Media impending failure endurance limit met', 'prefail', 'its flash is worn out'),
    ('5d', 'ff', 'ff', 'Failure prediction threshold exceeded (false)', 'test', 'somebody tested its failure report'),
    ('5e', '00', '00', 'Low power condition on', 'power', 'it saves power'));

-- Every sense line of the log with its meaning, once: the narrowest entry that fits. SCSI and CAM alike.
CREATE VIEW sense_seen AS
WITH told AS (
    SELECT l.rowid AS id, l.capture, l.boot, l.node, l.src, l.line, coalesce(l.count, 1) AS count, l.t_mono_s, l.t_s,
           lower(substr('0' || coalesce(json_extract(l.fields, '$.asc'), ''), -2)) AS asc,
           lower(substr('0' || coalesce(json_extract(l.fields, '$.ascq'), ''), -2)) AS ascq,
           json_extract(l.fields, '$.asc') IS NOT NULL AS coded, json_extract(l.fields, '$.text') AS text
    FROM log_event l
    WHERE l.event IN ('scsi-sense-detail', 'scsi-sense', 'predicted-failure', 'medium-error', 'hardware-error', 'command-refused') AND json_valid(l.fields)
      AND (json_extract(l.fields, '$.asc') IS NOT NULL OR json_extract(l.fields, '$.text') IS NOT NULL)
)
SELECT capture, boot, node, src, line, count, t_mono_s, t_s, asc, ascq, class, says FROM (
    SELECT t.id, t.capture, t.boot, t.node, t.src, t.line, t.count, t.t_mono_s, t.t_s, c.asc, CASE WHEN t.coded THEN t.ascq WHEN c.low = c.high THEN c.low END AS ascq, c.class, c.says,
           row_number() OVER (PARTITION BY t.id ORDER BY c.low <> c.high, length(replace(c.pattern, '%', '')) DESC, c.asc, c.low) AS rank
    FROM told t JOIN sense_code c ON CASE WHEN t.coded THEN c.asc = t.asc AND t.ascq BETWEEN c.low AND c.high ELSE t.text LIKE c.pattern END)
WHERE rank = 1;

-- log_info of LSI and Broadcom SAS adapters, 0xTOCCSSSS: T 3 is SAS, O who speaks (0 IOP, 1 PL: protocol layer, 2 IR), CC code, SSSS
-- sub-code (drivers/message/fusion/lsi/mpi_log_sas.h). class: drive, path, consequence (of something before it), noise, config.
CREATE VIEW loginfo_code AS
SELECT column1 AS origin, column2 AS low, column3 AS high, column4 AS class, column5 AS says FROM (VALUES
    ('IOP', '01', '01', 'config', 'invalid SAS address'),
    ('IOP', '03', '03', 'noise', 'a configuration page was asked for that is not there'),
    ('IOP', '05', '05', 'consequence', 'a command was terminated'),
    ('PL', '01', '01', 'path', 'no connection to the drive could be opened'),
    ('PL', '04', '04', 'path', 'a frame was damaged'),
    ('PL', '05', '05', 'path', 'the transmitter lost its connection'),
    ('PL', '06', '06', 'drive', 'a SATA drive answered with an error'),
    ('PL', '07', '07', 'drive', 'the error log of a SATA drive could not be read'),
    ('PL', '08', '08', 'drive', 'a SATA drive failed one queued command, so all were failed'),
    ('PL', '09', '09', 'drive', 'a SATA drive set its error bit'),
    ('PL', '0a', '0c', 'path', 'a frame arrived damaged'),
    ('PL', '0d', '0d', 'path', 'the link to a SATA drive went down'),
    ('PL', '0e', '0e', 'path', 'a SATA drive did not start its link'),
    ('PL', '10', '10', 'drive', 'a SATA drive did not get ready in time'),
    ('PL', '11', '11', 'consequence', 'a reset was issued'),
    ('PL', '12', '12', 'consequence', 'a command was aborted'),
    ('PL', '13', '14', 'consequence', 'commands of an abort or reset'),
    ('PL', '17', '17', 'consequence', 'a drive was gone for a moment'),
    ('PL', '18', '18', 'path', 'a frame was refused as damaged (R_ERR)'),
    ('PL', '20', '20', 'noise', 'a message of enclosure management'));
-- Sub-codes that tell why. Those that the header does not name (0x0e03, 0x0e05, 0x0303) have no row: nothing may rest on them.
CREATE VIEW loginfo_sub AS
SELECT column1 AS code, column2 AS low, column3 AS high, column4 AS class, column5 AS says FROM (VALUES
    ('01', '0001', '0001', 'path', 'the destination did not answer'),
    ('01', '0002', '0002', 'path', 'the path was blocked'),
    ('01', '0009', '0009', 'path', 'it had to be tried again'),
    ('01', '000a', '000a', 'path', 'the connection was broken off'),
    ('01', '000c', '000c', 'path', 'it took too long'),
    ('01', '0011', '0011', 'path', 'there is no such destination'),
    ('01', '0012', '0012', 'path', 'the link speed does not fit'),
    ('01', '0013', '0013', 'path', 'the protocol does not fit'),
    ('01', '0018', '0018', 'path', 'the expander was busy with SATA'),
    ('01', '001b', '001b', 'path', 'the path was blocked'),
    ('01', '001c', '001c', 'path', 'waiting for the path took too long'),
    ('11', '0100', '0100', 'path', 'because no connection could be opened'),
    ('11', '0101', '0101', 'path', 'because the destination did not answer'),
    ('11', '0102', '0102', 'path', 'because the link speed was too high for the other end'),
    ('11', '0103', '0103', 'path', 'because no connection could be opened'),
    ('11', '0104', '0104', 'path', 'because the connection was broken off'),
    ('11', '0105', '0113', 'path', 'because no connection could be opened'),
    ('11', '0114', '0114', 'path', 'because the zones of the expander forbid it'),
    ('11', '0115', '0119', 'path', 'because no connection could be opened'),
    ('11', '011a', '011a', 'path', 'because the other end put it off for too long'),
    ('11', '011b', '011b', 'path', 'because the path was blocked'),
    ('11', '011c', '011c', 'path', 'because waiting for the path took too long'),
    ('11', '011d', '011f', 'path', 'because no connection could be opened'),
    ('11', '0120', '0120', NULL, 'asked for by the host'),
    ('11', '0130', '0130', NULL, 'asked for by the transport layer'),
    ('11', '0140', '0140', NULL, 'asked for by the port layer'),
    ('11', '0300', '0300', 'path', 'because a frame had a wrong length'),
    ('11', '0400', '0400', 'path', 'because a frame was damaged'),
    ('11', '0800', '0800', 'drive', 'because a drive failed a queued command'),
    ('11', '0d00', '0d00', 'path', 'because the link to a SATA drive went down'),
    ('11', '0e00', '0e01', NULL, 'during discovery: something was plugged, or the expander changed'),
    ('11', '1000', '1000', 'drive', 'because a SATA drive did not get ready'),
    ('11', '2000', '5000', 'path', 'because the link to a SATA drive was stuck'));

-- The adapter a controller node belongs to: host0 or mps0 are the PCI function below them, by the log or by the drives that have that host
-- in their address; "storcli c0", whose own address was not in that output, and a host that nothing else ties are the only adapter there is.
CREATE VIEW adapter AS
WITH only_one AS (SELECT capture, min(node) AS node FROM pci_device WHERE mode IN ('sas', 'raid') AND (mode = 'sas' OR mode_by = 'driver') GROUP BY capture HAVING count(DISTINCT node) = 1)
SELECT c.id AS capture, n.id AS node,
       coalesce(CASE WHEN n.label NOT GLOB '[0-9a-f]*:[0-9a-f][0-9a-f]:[0-9a-f][0-9a-f].[0-7]' THEN
                    coalesce((SELECT min(e.parent) FROM edge e JOIN node p ON p.id = e.parent AND p.kind = 'controller' WHERE e.capture = c.id AND e.child = n.id),
                             CASE WHEN n.label GLOB 'host[0-9]*' THEN (SELECT min(p.controller) FROM place p WHERE p.capture = c.id AND coalesce(p.boot, 0) = 0 AND p.hctl LIKE substr(n.label, 5) || ':%' AND p.controller IS NOT NULL
                                                                               HAVING count(DISTINCT p.controller) = 1) END,
                             CASE WHEN n.label GLOB 'storcli c[0-9]*' OR n.label GLOB 'sasflash c[0-9]*' OR n.label GLOB 'MegaCli a[0-9]*' OR EXISTS (SELECT 1 FROM log_event l WHERE l.capture = c.id AND l.node = n.id AND l.event GLOB 'hba-*') THEN (SELECT o.node FROM only_one o WHERE o.capture = c.id) END) END, n.id) AS top
FROM capture c JOIN node n ON n.kind = 'controller';

-- Each log_info line decoded. drive: whom the line names (FreeBSD), else the only drive behind the adapter that says something within
-- a second; NULL where none or several do. class is that of the sub-code where it tells why.
CREATE VIEW hba_loginfo AS
WITH told AS MATERIALIZED (
    SELECT l.rowid AS id, l.capture, l.boot, l.node, l.src, l.line, coalesce(l.count, 1) AS count, l.t_mono_s, l.t_s, coalesce(l.t_mono_s, l.t_s) AS t,
           lower(substr('00000000' || coalesce(json_extract(l.fields, '$.info'), json_extract(l.fields, '$.li'), json_extract(l.fields, '$.li2')), -8)) AS info
    FROM log_event l WHERE l.event IN ('hba-log-info', 'hba-ncq-error', 'hba-noise') AND json_valid(l.fields)
), cut AS (
    SELECT t.*, CASE substr(info, 2, 1) WHEN '0' THEN 'IOP' WHEN '1' THEN 'PL' WHEN '2' THEN 'IR' END AS origin, substr(info, 3, 2) AS code, substr(info, 5, 4) AS sub
    FROM told t WHERE info GLOB '3*'
), near AS MATERIALIZED (
    SELECT c.id, CASE WHEN count(DISTINCT e.node) = 1 THEN min(e.node) END AS drive, count(DISTINCT e.node) AS drives
    FROM cut c JOIN log_event e ON e.capture = c.capture AND coalesce(e.boot, 0) = coalesce(c.boot, 0) AND abs(coalesce(e.t_mono_s, e.t_s) - c.t) <= 1.0
         AND e.event IN ('scsi-result', 'scsi-sense', 'scsi-sense-detail', 'medium-error', 'hardware-error', 'io-error', 'device-reset', 'task-abort', 'command-timeout', 'device-gone',
                         'transport-error', 'cam-status', 'device-offline')
    JOIN drive d ON d.node = e.node AND d.capture = e.capture
    WHERE NOT EXISTS (SELECT 1 FROM adapter a JOIN place p ON p.capture = a.capture AND p.node = e.node AND p.controller IS NOT NULL AND coalesce(p.boot, 0) = 0
                      WHERE a.capture = c.capture AND a.node = c.node AND p.controller <> a.top AND p.controller <> c.node)
    GROUP BY c.id
)
SELECT c.capture, c.boot, a.top AS adapter, CASE WHEN d.node IS NOT NULL THEN d.node ELSE n.drive END AS drive, coalesce(n.drives, 0) AS drives, c.src, c.line, c.count, c.t_mono_s, c.t_s,
       c.info, c.origin, c.code, c.sub, coalesce(s.class, k.class, 'unknown') AS class, k.class AS code_class,
       coalesce(k.says || coalesce(', ' || s.says, ''), 'code ' || c.code || ' of ' || coalesce(c.origin, 'an unknown speaker')) AS says
FROM cut c LEFT JOIN loginfo_code k ON k.origin = c.origin AND c.code BETWEEN k.low AND k.high
     LEFT JOIN loginfo_sub s ON c.origin = 'PL' AND s.code = CASE c.code WHEN '12' THEN '11' ELSE c.code END AND c.sub BETWEEN s.low AND s.high
     LEFT JOIN adapter a ON a.capture = c.capture AND a.node = c.node
     LEFT JOIN drive d ON d.capture = c.capture AND d.node = c.node LEFT JOIN near n ON n.id = c.id;

-- SAS adapters and RAID controllers that are real hardware. kind: hba or raid. Intel's and AMD's SATA in RAID mode is neither.
CREATE VIEW storage_adapter AS
WITH seen AS (
    SELECT capture, node, CASE mode WHEN 'sas' THEN 'hba' ELSE 'raid' END AS kind, 0 AS by FROM pci_device
    WHERE coalesce(emulated, 0) = 0 AND (mode = 'sas' OR (mode = 'raid' AND (mode_by = 'driver' OR coalesce(vendor_id, '') NOT IN ('8086', '1022'))))
    UNION ALL
    SELECT p.capture, p.controller, 'hba', 1 FROM place p WHERE p.mode = 'sas' AND p.controller IS NOT NULL AND coalesce(p.boot, 0) = 0
    UNION ALL
    SELECT a.capture, a.top, 'hba', 1 FROM adapter a JOIN node n ON n.id = a.node
    WHERE (n.label GLOB 'mpt[0-9]sas*' OR n.label GLOB 'mp[sr][0-9]*' OR n.label GLOB 'mpi3mr[0-9]*') AND EXISTS (SELECT 1 FROM edge e WHERE e.capture = a.capture AND a.node IN (e.parent, e.child))
    UNION ALL
    SELECT l.capture, a.top, CASE WHEN l.event GLOB 'hba-*' THEN 'hba' ELSE 'raid' END, 1 FROM log_event l JOIN adapter a ON a.capture = l.capture AND a.node = l.node
    WHERE l.event IN ('hba-firmware', 'hba-reset', 'hba-fault', 'hba-log-info', 'hba-too-hot', 'raid-controller-reset', 'raid-controller-event', 'raid-controller-timeout')
    UNION ALL
    SELECT s.capture, a.top, CASE WHEN m.value LIKE '%RAID%' OR m.value LIKE '%PERC%' OR m.value LIKE '%Smart Array%' OR m.value LIKE '%Adaptec%' THEN 'raid' ELSE 'hba' END, 2 FROM setting s JOIN adapter a ON a.capture = s.capture AND a.node = s.node
    LEFT JOIN setting m ON m.capture = s.capture AND m.node = s.node AND m.key = 'model' WHERE s.key IN ('firmware', 'temperature_celsius') AND s.view = 'firmware'
)
SELECT capture, node, kind FROM (SELECT s.capture, s.node, min(s.kind) AS kind, s.by, row_number() OVER (PARTITION BY s.capture, s.node ORDER BY s.by) AS rank FROM seen s
WHERE NOT EXISTS (SELECT 1 FROM pci_device x WHERE x.capture = s.capture AND x.node = s.node AND x.emulated = 1) AND s.node IS NOT NULL
GROUP BY s.capture, s.node, s.by) WHERE rank = 1;

-- Lines about an adapter itself, in operation. Drivers that name no adapter speak of the only RAID controller there is. A diagnostic
-- reset before the first banner of a log that has its start belongs to loading the driver.
CREATE VIEW adapter_event AS
SELECT l.capture, coalesce(a.top, (SELECT min(p.controller) FROM place p WHERE p.capture = l.capture AND p.node = l.node AND coalesce(p.boot, 0) = 0),
                           (SELECT min(s.node) FROM storage_adapter s WHERE s.capture = l.capture AND s.kind = 'raid' HAVING count(*) = 1)) AS adapter,
       l.event, l.severity, l.src, l.line, coalesce(l.count, 1) AS count, coalesce(l.t_mono_s, l.t_s) AS t, l.fields
FROM log_event l LEFT JOIN adapter a ON a.capture = l.capture AND a.node = l.node
WHERE coalesce(l.boot, 0) = 0 AND coalesce(l.severity, 'medium') <> 'noise' AND coalesce(l.t_mono_s, 60) >= 60
  AND l.event IN ('hba-reset', 'hba-fault', 'hba-too-hot', 'raid-controller-reset', 'raid-controller-event', 'raid-controller-timeout', 'raid-volume-reset')
  AND NOT (l.event = 'hba-reset' AND EXISTS (SELECT 1 FROM log_window w WHERE w.capture = l.capture AND w.src = l.src AND coalesce(w.boot, 0) = 0 AND w.start_present = 1)
           AND l.t_mono_s <= (SELECT min(b.t_mono_s) FROM log_event b WHERE b.capture = l.capture AND b.event = 'hba-firmware' AND b.node = l.node AND coalesce(b.boot, 0) = 0));

-- Adapters that said how hot their chip is, in degrees Celsius, and from which line.
CREATE VIEW adapter_heat AS
SELECT s.capture, a.top AS node, max(CAST(s.value AS REAL)) AS celsius, s.src, s.line FROM setting s JOIN adapter a ON a.capture = s.capture AND a.node = s.node
WHERE s.key = 'temperature_celsius' AND coalesce(s.boot, 0) = 0 AND CAST(s.value AS REAL) BETWEEN 1 AND 150 GROUP BY s.capture, a.top;

-- What reports errors of the memory in the last 30 days (the log of a board controller lives for years). kind: ce (repaired by ECC), ue (not repaired), limit (a program says that its limit of repaired ones
-- was passed). since: 'log' one line with its time, 'boot' a counter since boot, 'ever' a database without times.
CREATE VIEW memory_report AS
SELECT l.capture, CASE l.event WHEN 'memory-corrected' THEN 'ce' WHEN 'memory-uncorrected' THEN 'ue' ELSE CASE json_extract(l.fields, '$.sev') WHEN 'uncorrected' THEN 'ue' ELSE 'limit' END END AS kind,
       coalesce(CAST(json_extract(l.fields, '$.n') AS INTEGER), 1) * coalesce(l.count, 1) AS n, json_extract(l.fields, '$.label') AS label, l.src, l.line, coalesce(l.t_s, l.t_mono_s) AS t, 'log' AS since
FROM log_event l JOIN capture c ON c.id = l.capture
WHERE l.event IN ('memory-corrected', 'memory-uncorrected', 'memory-error-threshold') AND coalesce(l.boot, 0) = 0 AND json_valid(coalesce(l.fields, '{}')) AND coalesce(l.t_s >= c.start_s - 30 * 86400.0, 1)
UNION ALL -- firmware's record: its severity stands in a line of its own
SELECT l.capture, CASE WHEN EXISTS (SELECT 1 FROM log_event v WHERE v.capture = l.capture AND v.event = 'hardware-error-record' AND v.src = l.src AND abs(v.line - l.line) <= 12
                                    AND json_valid(v.fields) AND json_extract(v.fields, '$.sev') IN ('fatal', 'recoverable')) THEN 'ue' ELSE 'ce' END,
       coalesce(l.count, 1), NULL, l.src, l.line, coalesce(l.t_s, l.t_mono_s), 'log'
FROM log_event l WHERE l.event = 'hardware-error-record' AND coalesce(l.boot, 0) = 0 AND json_valid(l.fields) AND trim(json_extract(l.fields, '$.sect')) = 'memory error'
UNION ALL -- machine checks of the memory controller: MCACOD 0000 0000 1MMM CCCC; bit 61 of the status says that it was not repaired
SELECT l.capture, CASE WHEN json_extract(l.fields, '$.status') GLOB '[2367abef]*' THEN 'ue' ELSE 'ce' END, coalesce(l.count, 1), NULL, l.src, l.line, coalesce(l.t_s, l.t_mono_s), 'log'
FROM log_event l WHERE l.event = 'machine-check' AND coalesce(l.boot, 0) = 0 AND json_valid(l.fields) AND json_extract(l.fields, '$.status') GLOB '*[01]0[89a-f]?'
UNION ALL
SELECT l.capture, CASE WHEN EXISTS (SELECT 1 FROM log_event v WHERE v.capture = l.capture AND v.event = 'machine-check-severity' AND v.src = l.src AND l.line - v.line BETWEEN 0 AND 8
                                    AND json_valid(v.fields) AND json_extract(v.fields, '$.sev') GLOB '[US]*') THEN 'ue' ELSE 'ce' END,
       coalesce(l.count, 1), NULL, l.src, l.line, coalesce(l.t_s, l.t_mono_s), 'log'
FROM log_event l WHERE l.event = 'machine-check-memory' AND coalesce(l.boot, 0) = 0
UNION ALL -- counters of EDAC and of rasdaemon; `raw` is the module's label
SELECT c.capture, CASE c.name WHEN 'ce_count' THEN 'ce' ELSE 'ue' END, CAST(max(c.value) AS INTEGER), c.raw, c.src, c.line, NULL, CASE c.kind WHEN 'edac' THEN 'boot' ELSE 'ever' END
FROM counter c WHERE c.kind IN ('edac', 'rasdaemon') AND c.name IN ('ce_count', 'ue_count') GROUP BY c.capture, c.kind, c.name, c.raw;

-- Repaired errors per day where that can be told, the most of them; 10 and more are a fault, one a month is not.
CREATE VIEW memory_rate AS
WITH per_day AS (
    SELECT capture, CAST(coalesce(t, 0) / 86400 AS INTEGER) AS day, sum(n) AS n FROM memory_report WHERE kind = 'ce' AND since = 'log' GROUP BY capture, 2
), counted AS ( -- modules add up; another tool counts the same ones again
    SELECT capture, max(n) AS n FROM (SELECT m.capture, m.src, sum(m.n) AS n FROM memory_report m WHERE m.kind = 'ce' AND m.since = 'boot' GROUP BY m.capture, m.src) GROUP BY capture
), readings AS (
    SELECT capture, sum(grown) AS n FROM (SELECT capture, max(value) - min(value) AS grown FROM counter WHERE kind = 'edac' AND name = 'ce_count' GROUP BY capture, raw) GROUP BY capture
)
SELECT c.id AS capture, (SELECT max(n) FROM per_day p WHERE p.capture = c.id) AS logged_a_day, k.n AS since_boot, k.n / max(1.0, c.uptime_s / 86400.0) AS counted_a_day, r.n AS grown
FROM capture c LEFT JOIN counted k ON k.capture = c.id LEFT JOIN readings r ON r.capture = c.id;

-- Machine checks and firmware's records of this boot that are the processor's: not the memory's and not PCI Express', which have pages of
-- their own. grade: bad (not repaired: bit 61 of the status, or what was said beside it), repaired, unknown.
CREATE VIEW processor_check AS
WITH raw AS (
    SELECT l.capture, l.src, l.line, l.t_s, l.t_mono_s, coalesce(l.count, 1) AS n, json_extract(l.fields, '$.bank') AS bank, json_extract(l.fields, '$.cpu') AS cpu, json_extract(l.fields, '$.status') AS status, json_extract(l.fields, '$.text') AS text,
           json_extract(l.fields, '$.uc') AS uc, json_extract(l.fields, '$.sect') AS sect
    FROM log_event l
    WHERE coalesce(l.boot, 0) = 0 AND json_valid(coalesce(l.fields, '{}')) AND (l.event = 'machine-check' OR (l.event = 'hardware-error-record' AND json_extract(l.fields, '$.sect') IS NOT NULL))
), near AS (
    SELECT r.*, EXISTS (SELECT 1 FROM log_event m WHERE m.capture = r.capture AND m.event IN ('machine-check-memory', 'memory-corrected', 'memory-uncorrected') AND m.src = r.src AND abs(m.line - r.line) <= 8) AS memory,
           EXISTS (SELECT 1 FROM log_event m WHERE m.capture = r.capture AND m.event IN ('machine-check-severity', 'hardware-error-record') AND m.src = r.src AND abs(m.line - r.line) <= 12
                   AND json_valid(m.fields) AND (json_extract(m.fields, '$.sev') IN ('fatal', 'recoverable') OR json_extract(m.fields, '$.sev') GLOB '[US]*')) AS said_bad,
           EXISTS (SELECT 1 FROM log_event m WHERE m.capture = r.capture AND m.event IN ('machine-check-severity', 'hardware-error-record') AND m.src = r.src AND abs(m.line - r.line) <= 12
                   AND json_valid(m.fields) AND (json_extract(m.fields, '$.sev') IN ('corrected', 'info') OR json_extract(m.fields, '$.sev') GLOB '[CD]*')) AS said_repaired
    FROM raw r
)
SELECT capture, src, line, t_s, t_mono_s, n, bank, cpu, text, sect,
       CASE WHEN status GLOB '[2367abef]*' OR uc = 'UNCOR' OR said_bad THEN 'bad' WHEN status IS NOT NULL OR uc = 'COR' OR said_repaired THEN 'repaired' ELSE 'unknown' END AS grade
FROM near WHERE NOT memory AND coalesce(status, '') NOT GLOB '*[01]0[89a-f]?' AND coalesce(trim(sect), '') NOT IN ('memory error', 'PCIe error');

-- Error counters of the SAS phys a drive hangs on: its own (smartctl) and that of the adapter or expander at the other end (sysfs).
-- A phy without a drive has no row. Small values that stay are from plugging.
CREATE VIEW sas_phy_error AS
WITH named AS (
    SELECT c.capture, c.node, c.id, c.value, c.src, c.line, CASE WHEN instr(c.name, '/') > 0 THEN substr(c.name, 1, instr(c.name, '/') - 1) END AS expander,
           CASE WHEN lower(replace(c.name, ' ', '_')) LIKE '%invalid_dword%' THEN 'invalid words' WHEN lower(c.name) LIKE '%disparity%' THEN 'disparity errors'
                WHEN lower(replace(c.name, ' ', '_')) LIKE '%loss_of_dword_sync%' THEN 'losses of sync' END AS what
    FROM counter c WHERE c.kind = 'phy' AND c.value IS NOT NULL
)
SELECT n.capture, d.node, 'drive' AS who, n.id AS phy, n.what, max(n.value) AS most, min(n.value) AS least, count(*) AS readings, min(n.src) AS src, first_line(n.src, n.line) AS line
FROM named n JOIN drive d ON d.node = n.node AND d.capture = n.capture
WHERE n.what IS NOT NULL GROUP BY n.capture, d.node, n.id, n.what
UNION ALL
SELECT n.capture, p.node, 'adapter', n.id, n.what, max(n.value), min(n.value), count(*), min(n.src), first_line(n.src, n.line)
FROM named n JOIN adapter a ON a.capture = n.capture AND a.node = n.node
JOIN place p ON p.capture = n.capture AND coalesce(p.boot, 0) = 0 AND p.controller IN (a.top, a.node) AND p.phy = CAST(n.id AS TEXT) AND p.expander IS n.expander
WHERE n.what IS NOT NULL GROUP BY n.capture, p.node, n.id, n.what;

-- Speed of the SAS link of a drive, and the least of what its ends can do as far as it is known. SATA ends at 6 Gbit/s.
CREATE VIEW sas_rate AS
WITH at_phy AS (
    SELECT c.capture, p.node, max(CASE WHEN c.name LIKE '%negotiated_linkrate' THEN c.value END) AS now, max(CASE WHEN c.name LIKE '%maximum_linkrate' THEN c.value END) AS most,
           min(c.src) AS src, first_line(c.src, c.line) AS line
    FROM counter c JOIN adapter a ON a.capture = c.capture AND a.node = c.node
    JOIN place p ON p.capture = c.capture AND coalesce(p.boot, 0) = 0 AND p.controller IN (a.top, a.node) AND p.phy = CAST(c.id AS TEXT)
         AND p.expander IS CASE WHEN instr(c.name, '/') > 0 THEN substr(c.name, 1, instr(c.name, '/') - 1) END
    WHERE c.kind = 'phy' AND c.name LIKE '%_linkrate' GROUP BY c.capture, p.node
), said AS (
    SELECT s.capture, s.node, max(CASE WHEN s.key = 'link_gbps' THEN CAST(s.value AS REAL) END) AS now, max(CASE WHEN s.key = 'link_max_gbps' THEN CAST(s.value AS REAL) END) AS most,
           min(s.src) AS src, first_line(s.src, s.line) AS line
    FROM setting s WHERE s.key IN ('link_gbps', 'link_max_gbps') AND coalesce(s.boot, 0) = 0 GROUP BY s.capture, s.node
)
SELECT d.capture, d.node, d.name, d.model, d.bus, p.controller, coalesce(x.now, s.now) AS now,
       nullif(min(coalesce(s.most, CASE d.bus WHEN 'ata' THEN 6.0 ELSE 99.0 END), coalesce(x.most, 99.0)), 99.0) AS could, coalesce(x.src, s.src) AS src, coalesce(x.line, s.line) AS line
FROM drive d JOIN place p ON p.node = d.node AND p.capture = d.capture AND coalesce(p.boot, 0) = 0 AND p.mode = 'sas'
     LEFT JOIN at_phy x ON x.capture = d.capture AND x.node = d.node LEFT JOIN said s ON s.capture = d.capture AND s.node = d.node
WHERE coalesce(x.now, s.now) > 0 AND coalesce(d.is_virtual, 0) = 0;

-- Lines that say that a drive failed somebody in operation: not while the machine starts or wakes up. kind: gone, reset, timeout, path, medium.
CREATE VIEW drive_trouble AS
SELECT l.capture, l.node, l.event, l.src, l.line, coalesce(l.count, 1) AS count, coalesce(l.t_mono_s, l.t_s) AS t,
       CASE WHEN l.event IN ('device-gone', 'device-offline', 'device-disabled', 'nvme-down', 'pcie-link-down', 'usb-disconnect') THEN 'gone'
            WHEN l.event IN ('link-reset', 'device-reset', 'softreset-failed', 'reset-failed', 'nvme-reset', 'usb-reset', 'link-changed') THEN 'reset'
            WHEN l.event IN ('medium-error', 'hardware-error') THEN 'medium'
            WHEN l.event IN ('icrc', 'link-bit-errors', 'ata-bus-error', 'transport-error') THEN 'path' ELSE 'timeout' END AS kind
FROM log_event l JOIN drive d ON d.node = l.node AND d.capture = l.capture
WHERE coalesce(l.boot, 0) = 0 AND coalesce(l.severity, 'medium') <> 'noise' AND coalesce(d.is_virtual, 0) = 0
  AND l.event IN ('device-gone', 'device-offline', 'device-disabled', 'nvme-down', 'pcie-link-down', 'usb-disconnect', 'link-reset', 'device-reset', 'softreset-failed', 'reset-failed', 'nvme-reset',
                  'usb-reset', 'link-changed', 'medium-error', 'hardware-error', 'icrc', 'link-bit-errors', 'ata-bus-error', 'transport-error', 'command-timeout', 'nvme-timeout', 'task-abort', 'uas-error')
  AND coalesce(l.t_mono_s, 60) >= 60
  AND NOT EXISTS (SELECT 1 FROM log_event r WHERE r.capture = l.capture AND r.event = 'system-resumed' AND l.t_mono_s BETWEEN r.t_mono_s - 5 AND r.t_mono_s + 60);

-- When a drive behind a SCSI host was cut off: its commands broke off on the way, and within half a minute it says that it started anew
-- (sense 29). The adapter waits for it, so the line of the new start comes seconds after a SATA port has told of the loss.
CREATE VIEW drive_cut AS
SELECT r.capture, r.node, min(coalesce(l.t_mono_s, l.t_s)) AS t, r.t AS back_t, l.src, min(l.line) AS line
FROM drive_trouble r JOIN log_event l ON l.capture = r.capture AND l.node = r.node AND l.src = r.src AND l.event = 'scsi-result' AND l.line BETWEEN r.line - 400 AND r.line
     AND coalesce(l.t_mono_s, l.t_s) BETWEEN r.t - 30 AND r.t AND json_valid(l.fields)
     AND json_extract(l.fields, '$.host') IN ('DID_SOFT_ERROR', 'DID_NO_CONNECT', 'DID_TRANSPORT_DISRUPTED', 'DID_TRANSPORT_FAILFAST', '0x0b', '0x01', '0x0e', '0x0f')
WHERE r.event = 'device-reset'
GROUP BY r.capture, r.node, r.src, r.line;

-- Losses and resets of built-in drives, each with its controller and the two seconds it fell into: what drives of two controllers have in common
-- is their power. lost 1: it went away, or started anew.
CREATE VIEW drive_loss AS
SELECT x.capture, x.node, d.name, x.event, x.src, x.line, CAST(x.t / 2 AS INTEGER) AS moment, coalesce(d.bus, '') AS bus,
       (SELECT min(p.controller) FROM place p WHERE p.capture = x.capture AND p.node = x.node AND coalesce(p.boot, 0) = 0) AS controller,
       x.event IN ('device-gone', 'device-offline', 'device-disabled', 'nvme-down', 'pcie-link-down', 'link-changed', 'device-reset', 'drive-cut') AS lost
FROM (SELECT t.capture, t.node, t.event, t.src, t.line, t.t FROM drive_trouble t WHERE t.kind IN ('gone', 'reset')
      UNION ALL SELECT c.capture, c.node, 'drive-cut', c.src, c.line, c.t FROM drive_cut c) x
     JOIN drive d ON d.node = x.node AND d.capture = x.capture
WHERE x.t IS NOT NULL AND coalesce(d.internal, 1) = 1 AND coalesce(d.bus, '') <> 'usb';
-- ---------------------------------------------------------------- who reads and writes
-- What programs wrote in one capture of iotop or pidstat (the one with the most bytes), each with its share of all that was written.
-- bytes_s: mean over the rounds of that output. Where there was one round, the total that the tool prints is the whole. `kernel`: a thread
-- of the kernel, which writes for others. `target`: the file or device that its command line says it writes to, NULL unknown.
CREATE VIEW writer AS
WITH said AS MATERIALIZED (
    SELECT capture, src, tool, line, t_s, pid, substr(command, 1, 100) AS command, coalesce(write_bytes_s, 0) AS w, coalesce(read_bytes_s, 0) AS r
    FROM process_io WHERE command IS NOT NULL AND (write_bytes_s IS NOT NULL OR read_bytes_s IS NOT NULL)
), often AS (
    SELECT capture, src, max(n) AS rounds FROM (
        SELECT capture, src, count(DISTINCT t_s) AS n FROM said GROUP BY capture, src
        UNION ALL SELECT capture, src, count(*) FROM said WHERE t_s IS NULL GROUP BY capture, src, pid, command)
    GROUP BY capture, src
), whole AS (
    SELECT s.capture, s.src, max(o.rounds, 1) AS rounds, sum(s.w) / max(o.rounds, 1) AS listed_s, min(s.t_s) AS from_s, max(s.t_s) AS to_s,
           CASE WHEN o.rounds <= 1 THEN max((SELECT max(CAST(t.value AS REAL)) FROM setting t WHERE t.capture = s.capture AND t.src = s.src AND t.key = 'tasks_write_bytes_s')) END AS printed_s
    FROM said s JOIN often o ON o.capture = s.capture AND o.src = s.src GROUP BY s.capture, s.src
), best AS (
    SELECT *, max(listed_s, coalesce(printed_s, 0)) AS total_s, row_number() OVER (PARTITION BY capture ORDER BY max(listed_s, coalesce(printed_s, 0)) DESC, src) AS rank FROM whole
), program AS (
    SELECT s.capture, s.src, s.tool, s.command, sum(s.w) / b.rounds AS bytes_s, sum(s.r) / b.rounds AS read_bytes_s, first_line(s.src, s.line) AS line, b.total_s, b.rounds, b.from_s, b.to_s,
           s.command GLOB '[[]*' OR s.command GLOB 'kworker*' OR s.command GLOB 'jbd2*' OR s.command GLOB 'txg_sync*' OR s.command GLOB 'z_wr*' OR s.command GLOB 'zvol*'
               OR s.command GLOB 'dmcrypt_write*' OR s.command GLOB 'kcryptd*' OR s.command GLOB 'md*_raid*' OR s.command GLOB 'xfsaild*' OR s.command GLOB 'flush-*' OR s.command GLOB 'btrfs-*'
               OR s.command GLOB 'kswapd*' OR s.command GLOB 'loop[0-9]*' AS kernel,
           CASE WHEN s.command GLOB '*of=/*' THEN substr(s.command, instr(s.command, 'of=/') + 3)
                WHEN (s.command GLOB 'tar *' OR s.command GLOB '*/tar *' OR s.command GLOB 'bsdtar *') AND instr(s.command, 'f /') > 0 THEN substr(s.command, instr(s.command, 'f /') + 2)
                WHEN (s.command GLOB 'cp *' OR s.command GLOB 'mv *' OR s.command GLOB 'rsync *' OR s.command GLOB '*/rsync *' OR s.command GLOB '*/cp *')
                    THEN substr(rtrim(s.command), length(rtrim(rtrim(s.command), replace(rtrim(s.command), ' ', ''))) + 1) END AS target
    FROM said s JOIN best b ON b.capture = s.capture AND b.src = s.src AND b.rank = 1
    GROUP BY s.capture, s.src, s.command
)
SELECT capture, src, line, tool, command, kernel, bytes_s, read_bytes_s, bytes_s / nullif(total_s, 0) AS share, total_s, rounds, from_s, to_s,
       CASE WHEN target GLOB '/*' THEN CASE WHEN instr(target, ' ') > 0 THEN substr(target, 1, instr(target, ' ') - 1) ELSE target END END AS target
FROM program;

-- The drives on which the target of a writer lies: the longest mount point of the capture that holds it. `/` counts only where all mounts
-- are known (a list with proc among them): a list that was filtered may have left the right one out.
CREATE VIEW writer_drive AS
WITH place AS MATERIALIZED (
    SELECT w.capture, w.command, n.id AS filesystem, n.label AS mountpoint, row_number() OVER (PARTITION BY w.capture, w.command ORDER BY length(n.label) DESC, n.id) AS rank
    FROM writer w JOIN node n ON n.kind = 'filesystem'
    WHERE w.target IS NOT NULL AND EXISTS (SELECT 1 FROM reach r WHERE r.capture = w.capture AND r.above = n.id)
      AND ((n.label <> '/' AND (w.target = n.label OR substr(w.target, 1, length(n.label) + 1) = n.label || '/'))
           OR (n.label = '/' AND EXISTS (SELECT 1 FROM mount m WHERE m.capture = w.capture AND m.fstype = 'proc')))
)
SELECT p.capture, p.command, p.mountpoint, d.node AS drive, d.name, m.src, m.line
FROM place p JOIN reach r ON r.capture = p.capture AND r.above = p.filesystem JOIN drive d ON d.node = r.below AND d.capture = r.capture
     JOIN (SELECT capture, child, min(src) AS src, first_line(src, line) AS line FROM edge WHERE src IS NOT NULL GROUP BY capture, child) m ON m.capture = p.capture AND m.child = p.filesystem
WHERE p.rank = 1
UNION -- a raw device or a partition of it
SELECT w.capture, w.command, w.target, d.node, d.name, w.src, w.line
FROM writer w JOIN drive d ON d.capture = w.capture WHERE w.target = '/dev/' || d.name OR w.target GLOB '/dev/' || d.name || 'p[0-9]*' OR w.target GLOB '/dev/' || d.name || '[0-9]*';

-- What each drive itself wrote (bytes_s) beside what the writers did. same_moment: 1 where the drive was sampled while they were watched, 0
-- where its figure is an average since boot or of another time, NULL where nothing tells. carries: its part of what all drives wrote.
CREATE VIEW written_drive AS
WITH wrote AS (
    SELECT x.capture, x.node, d.name, x.basis, coalesce(x.mean, x.p50) AS bytes_s, x.src, x.line,
           row_number() OVER (PARTITION BY x.capture, x.node ORDER BY x.basis = 'lifetime average', x.n DESC, x.src) AS rank
    FROM distribution x JOIN drive d ON d.node = x.node AND d.capture = x.capture
    WHERE x.metric = 'w_bytes_s' AND x.basis <> 'io percentiles' AND coalesce(d.is_virtual, 0) = 0
), who AS (SELECT capture, total_s, from_s, to_s FROM writer GROUP BY capture)
SELECT r.capture, r.node, r.name, r.basis, r.bytes_s, r.src, r.line, w.total_s, sum(r.bytes_s) OVER (PARTITION BY r.capture) AS all_s,
       r.bytes_s / nullif(sum(r.bytes_s) OVER (PARTITION BY r.capture), 0) AS carries,
       (SELECT count(*) FROM drive d WHERE d.capture = r.capture AND coalesce(d.is_virtual, 0) = 0) = count(*) OVER (PARTITION BY r.capture) AS all_measured,
       CASE WHEN r.basis = 'lifetime average' THEN 0
            WHEN w.from_s IS NOT NULL AND s.first_s IS NOT NULL THEN w.from_s <= s.last_s + 5 AND w.to_s >= s.first_s - 5 END AS same_moment
FROM wrote r JOIN who w ON w.capture = r.capture
     LEFT JOIN (SELECT capture, node, src, min(first_s) AS first_s, max(last_s) AS last_s FROM series WHERE has_time = 1 GROUP BY capture, node, src) s ON s.capture = r.capture AND s.node = r.node AND s.src = r.src
WHERE r.rank = 1;

-- The writers of a capture in one sentence: programs (no kernel threads) with a tenth of the bytes and more. top_share: of the largest one.
CREATE VIEW writer_list AS
SELECT capture, count(*) AS n, sum(share) AS named_share, max(share) AS top_share, max(total_s) AS total_s, min(tool) AS tool, src,
       group_concat(printf('"%s" %.0f %% (%.3g MB/s)', command, 100 * share, bytes_s / 1e6), ', ') AS words,
       max(command GLOB 'tar *' OR command GLOB '*/tar *' OR command GLOB '*rsync *' OR command GLOB '*restic *' OR command GLOB '*borg *' OR command GLOB 'vzdump*' OR command GLOB 'proxmox-backup*'
           OR command GLOB 'pg_dump*' OR command GLOB 'pg_basebackup*' OR command GLOB 'mysqldump*' OR command GLOB 'zfs send*' OR command GLOB 'dump *' OR command GLOB 'duplicity*') AS backup,
       max(command GLOB 'postgres*' OR command GLOB '*mysqld*' OR command GLOB '*mariadbd*' OR command GLOB 'mongod*' OR command GLOB 'etcd*' OR command GLOB '*oracle*') AS database
FROM (SELECT * FROM writer WHERE kernel = 0 AND share >= 0.1 ORDER BY share DESC, command)
GROUP BY capture;

-- Whether it is this drive that the writers write to. proven: 1 where the target of one of them lies on it, or where it was sampled meanwhile
-- and took what they wrote. `how` says so, or what is missing.
CREATE VIEW writer_proof AS
WITH path AS (
    SELECT p.capture, p.drive AS node, group_concat(DISTINCT p.mountpoint) AS mounts, sum(w.share) AS share, min(p.src) AS src, first_line(p.src, p.line) AS line
    FROM writer_drive p JOIN writer w ON w.capture = p.capture AND w.command = p.command AND w.share >= 0.1 GROUP BY p.capture, p.drive
)
SELECT d.capture, d.node, d.name, x.src AS drive_src, x.line AS drive_line, p.src, p.line,
       p.node IS NOT NULL OR (coalesce(x.same_moment, x.basis <> 'lifetime average') AND x.all_measured AND x.carries >= 0.8 AND x.bytes_s BETWEEN 0.3 * x.total_s AND 3 * x.total_s) AS proven,
       CASE WHEN p.node IS NOT NULL THEN printf('%s, to which %.0f %% of it %s, lies on %s.', p.mounts, 100 * p.share, CASE WHEN p.share > 0 THEN 'goes' ELSE 'go' END, d.name)
            WHEN coalesce(x.same_moment, x.basis <> 'lifetime average') AND x.all_measured AND x.carries >= 0.8 AND x.bytes_s BETWEEN 0.3 * x.total_s AND 3 * x.total_s
                THEN printf('%s took %.3g MB/s of writes meanwhile, %.0f %% of what all drives took: so it is the one they write to.', d.name, x.bytes_s / 1e6, 100 * x.carries)
            ELSE printf('On which drive their files lie nothing here shows: they may write to %s or to another drive.', d.name) END AS how,
       CASE WHEN x.basis = 'lifetime average' THEN printf(' The figures of the drives are averages since boot (%.3g MB/s on all of them), so the two do not coincide: each speaks of its own time, and they must not be added.', x.all_s / 1e6)
            WHEN x.same_moment = 0 OR (x.all_measured AND x.total_s > 3 * x.all_s) THEN printf(' The drives together took %.3g MB/s while they were sampled: that was another moment, and the two must not be added.', x.all_s / 1e6) ELSE '' END AS moment
FROM drive d LEFT JOIN written_drive x ON x.capture = d.capture AND x.node = d.node LEFT JOIN path p ON p.capture = d.capture AND p.node = d.node;

-- Partitions that one output shows as a mounted file system and another one as the container of a mapping (LUKS): both cannot be true at one
-- time, so no rule rests on either.
CREATE VIEW contradicted_partition AS
SELECT m.capture, e.parent AS node, p.label AS name, m.mountpoint, m.fstype, m.src, m.line, v.id AS volume, v.label AS volume_name, k.src AS volume_src, k.line AS volume_line
FROM mount m JOIN edge e ON e.capture = m.capture AND e.child = m.node JOIN node p ON p.id = e.parent AND p.kind IN ('partition', 'drive')
     JOIN edge k ON k.capture = e.capture AND k.parent = e.parent AND k.src <> m.src JOIN node v ON v.id = k.child AND v.kind = 'volume'
WHERE EXISTS (SELECT 1 FROM setting s WHERE s.capture = m.capture AND s.node = v.id AND (s.key = 'crypt_type' OR (s.key = 'device_type' AND s.value = 'crypt')))
  AND m.source IN ('/dev/' || p.label, p.label)
GROUP BY m.capture, e.parent, m.mountpoint, v.id;

-- A benchmark of one drive beside what its link carries and its class is made for. link_share: of the payload of its present link;
-- `words` says what the figure is worth, NULL where it can be compared with neither (single flushes, shallow queues, a cache in between).
CREATE VIEW benchmark_beside AS
WITH sata AS (
    SELECT s.capture, s.node, max(CAST(s.value AS REAL)) AS gbps FROM setting s WHERE s.key = 'link_gbps' AND coalesce(s.boot, 0) = 0 GROUP BY s.capture, s.node
), one AS (
    SELECT b.rowid AS id, b.capture, b.node, b.rw, b.block_bytes, b.sync, b.direct, b.mb_s, b.iops, b.outstanding, d.class, d.class_mb_s, d.class_iops,
           CASE d.bus WHEN 'nvme' THEN l.runs_gb_s * 1000 WHEN 'ata' THEN s.gbps * 100 END AS link_mb_s, -- SATA: 8 of 10 bits
           CASE d.bus WHEN 'nvme' THEN printf('%g GT/s x%d', l.runs_gtps, l.runs_width) WHEN 'ata' THEN printf('%g Gbit/s', s.gbps) END AS link_words
    FROM benchmark b JOIN drive d ON d.node = b.node AND d.capture = b.capture
         LEFT JOIN pcie_link l ON l.capture = b.capture AND l.node = b.node LEFT JOIN sata s ON s.capture = b.capture AND s.node = b.node
    WHERE b.mb_s > 0
)
SELECT id, capture, node, link_mb_s, mb_s / link_mb_s AS link_share,
       CASE WHEN coalesce(direct, 1) = 0 AND rw IN ('read', 'randread') THEN NULL
            WHEN mb_s > 1.02 * link_mb_s THEN printf('more than the %.0f MB/s that its link (%s) carries: a cache in memory answered', link_mb_s, link_words)
            WHEN mb_s >= 0.8 * link_mb_s THEN printf('%.0f %% of the %s that its link (%s) carries: this is what the link can do, not what the drive can do', 100 * mb_s / link_mb_s,
                 CASE WHEN link_mb_s >= 1000 THEN printf('%.2f GB/s', link_mb_s / 1000) ELSE printf('%.0f MB/s', link_mb_s) END, link_words)
            WHEN sync = 'dsync' THEN NULL
            WHEN block_bytes >= 65536 AND class_mb_s > 0 THEN printf('%.0f %% of the %.0f MB/s that such a drive (%s) is made for', 100 * mb_s / class_mb_s, class_mb_s, class)
            WHEN block_bytes < 65536 AND class_iops > 0 AND iops >= class_iops THEN printf('no less than the %.0f requests/s that every drive of its class (%s) does', class_iops, class)
            WHEN block_bytes < 65536 AND class_iops > 0 AND iops > 0 AND outstanding >= 16 THEN printf('%.0f %% of the %.0f requests/s that every drive of its class (%s) does', 100 * iops / class_iops, class_iops, class)
       END AS words
FROM one;

-- ---------------------------------------------------------------- members of a pool that are not there under their name
-- Members of pools, one row each however many outputs list them. redundant: a vdev above it holds a second copy or parity.
CREATE VIEW pool_member AS
SELECT v.capture, v.pool, v.node, v.name, max(coalesce(v.class, 'data')) AS class, max(v.state) AS state, max(v.slow_ios) AS slow_ios, max(v.text) AS text,
       max(EXISTS (SELECT 1 FROM vdev p WHERE p.capture = v.capture AND p.node = v.parent AND p.is_leaf = 0
                   AND (p.type LIKE 'mirror%' OR p.type LIKE 'raidz%' OR p.type LIKE 'draid%' OR p.type IN ('replacing', 'spare')))) AS redundant,
       min(v.src) AS src, first_line(v.src, v.line) AS line
FROM vdev v
WHERE v.is_leaf = 1 AND v.node IS NOT NULL AND v.pool IS NOT NULL
GROUP BY v.capture, v.pool, v.node, v.name;

-- Members known by kernel names, held against a listing of /dev/disk/by-id: as many drives as members, and yet names on each side that the
-- other lacks. Then one of the two is of another boot. found_model: a drive that is no member has the model of one; with less, the listing
-- may just as well have been cut. node: the member whose name no drive has; found: names that are no member's.
CREATE VIEW moved_member AS
WITH leaf AS (
    SELECT v.capture, v.pool, v.node, v.name, min(v.src) AS src, first_line(v.src, v.line) AS line,
           EXISTS (SELECT 1 FROM drive_name k WHERE k.capture = v.capture AND k.node = v.node AND k.kind = 'kernel' AND k.boot = 0) AS there
    FROM vdev v WHERE v.is_leaf = 1 AND v.node IS NOT NULL AND v.was IS NULL AND coalesce(v.type, 'disk') = 'disk'
    GROUP BY v.capture, v.node, v.name
), listed AS (
    SELECT k.capture, k.node, max(n.name) AS name, max(d.model) AS model, min(k.src) AS src
    FROM drive_name k JOIN source o ON o.id = k.src AND o.tool = 'by-id' JOIN drive d ON d.node = k.node AND d.capture = k.capture
         JOIN drive_name n ON n.capture = k.capture AND n.node = k.node AND n.kind = 'kernel' AND n.boot = 0
    WHERE k.kind = 'by-id' AND k.boot = 0 GROUP BY k.capture, k.node
), stray AS (SELECT l.* FROM listed l WHERE NOT EXISTS (SELECT 1 FROM leaf v WHERE v.capture = l.capture AND v.node = l.node))
SELECT v.capture, v.pool, v.node, v.name, v.src, v.line,
       (SELECT group_concat(name, ', ') FROM (SELECT s.name FROM stray s WHERE s.capture = v.capture ORDER BY s.name)) AS found, (SELECT min(s.src) FROM stray s WHERE s.capture = v.capture) AS list_src,
       EXISTS (SELECT 1 FROM stray s JOIN listed m ON m.capture = s.capture AND m.model = s.model JOIN leaf o ON o.capture = m.capture AND o.node = m.node WHERE s.capture = v.capture) AS found_model
FROM leaf v
WHERE v.there = 0 AND v.name NOT LIKE '%/%' AND (v.name GLOB 'sd[a-z]' OR v.name GLOB 'sd[a-z][a-z]' OR v.name GLOB 'sd[a-z][1-9]' OR v.name GLOB 'sd[a-z][a-z][1-9]')
  AND NOT EXISTS (SELECT 1 FROM leaf o WHERE o.capture = v.capture AND o.name NOT GLOB 'sd[a-z]*')
  AND (SELECT count(*) FROM listed l WHERE l.capture = v.capture) = (SELECT count(*) FROM leaf o WHERE o.capture = v.capture)
  AND EXISTS (SELECT 1 FROM stray s WHERE s.capture = v.capture) AND EXISTS (SELECT 1 FROM leaf o WHERE o.capture = v.capture AND o.there = 1);

-- Top-level vdevs that hold data; spares: how many of its drives one may lose. Disks of a virtual machine are left out: their redundancy may lie below.
CREATE VIEW pool_top_vdev AS
SELECT v.capture, v.pool, v.node, v.name, coalesce(v.class, 'data') AS class, min(v.src) AS src, first_line(v.src, v.line) AS line,
       CASE WHEN v.is_leaf = 1 THEN 0 WHEN v.name LIKE 'raidz3%' OR v.name LIKE 'draid3%' THEN 3 WHEN v.name LIKE 'raidz2%' OR v.name LIKE 'draid2%' THEN 2
            WHEN v.name LIKE 'raidz%' OR v.name LIKE 'draid%' THEN 1
            WHEN v.type LIKE 'mirror%' THEN max((SELECT count(DISTINCT c.name) FROM vdev c WHERE c.capture = v.capture AND c.parent = v.node) - 1, 1) END AS spares
FROM vdev v
WHERE v.pool IS NOT NULL AND v.parent = v.pool AND coalesce(v.class, 'data') IN ('data', 'special', 'dedup') AND (v.is_leaf = 0 OR v.type IN ('disk', 'file'))
  AND NOT EXISTS (SELECT 1 FROM drive d WHERE d.node = v.node AND d.capture = v.capture AND d.is_virtual = 1)
GROUP BY v.capture, v.pool, v.node, v.name;

-- Requests to members that took longer than ZFS allows (30 s by default), as each of its memories tells: the counter SLOW (since import or the last
-- clear), its events, the log of its daemon. n: how often; worst_ms: the longest; first_s, last_s: when, where that is known.
CREATE VIEW zfs_slow_io AS
SELECT capture, node, 'counter' AS origin, max(slow_ios) AS n, NULL AS worst_ms, NULL AS first_s, NULL AS last_s, min(src) AS src, first_line(src, line) AS line
FROM vdev WHERE is_leaf = 1 AND node IS NOT NULL AND slow_ios > 0 AND coalesce(class, 'data') <> 'spare' GROUP BY capture, node
UNION ALL
SELECT capture, member, 'events', count(*), max(delay_ms), min(t_s), max(t_s), min(src), first_line(src, line)
FROM pool_event WHERE what IN ('delay', 'deadman') AND member IS NOT NULL GROUP BY capture, member
UNION ALL
SELECT capture, node, 'log', sum(coalesce(count, 1)), max(CAST(json_extract(CASE WHEN json_valid(fields) THEN fields ELSE '{}' END, '$.ms') AS REAL)), min(t_s), max(coalesce(last_t_s, t_s)), min(src), first_line(src, line)
FROM log_event WHERE event = 'zfs-slow-io' AND node IS NOT NULL AND coalesce(boot, 0) = 0 GROUP BY capture, node;

-- What lies on the drives of pools, or on a partition of theirs, as labels and signatures tell.
CREATE VIEW member_label AS
WITH piece AS (
    SELECT DISTINCT m.capture, m.node, m.node AS part FROM pool_member m JOIN drive d ON d.node = m.node AND d.capture = m.capture
    UNION SELECT m.capture, m.node, e.child FROM pool_member m JOIN drive d ON d.node = m.node AND d.capture = m.capture JOIN edge e ON e.capture = m.capture AND e.parent = m.node JOIN node n ON n.id = e.child AND n.kind = 'partition'
)
SELECT p.capture, p.node, p.part, s.key, s.value, s.src, s.line
FROM piece p JOIN setting s ON s.capture = p.capture AND s.node = p.part AND coalesce(s.boot, 0) = 0 AND s.key IN ('zfs_label', 'zfs_guid', 'zfs_hostid', 'fs_type');

-- Members that are not there, and on which ZFS counted no error.
CREATE VIEW zfs_missing AS
SELECT v.capture, v.pool, v.node, v.name, max(v.state) AS state, max(v.text) AS text, max(v.was) AS was, max(v.guid) AS guid, max(v.matched_by) AS matched_by,
       max(coalesce(v.class, 'data')) AS class, max(v.path) AS path,
       max(EXISTS (SELECT 1 FROM vdev u WHERE u.capture = v.capture AND u.node = v.parent AND u.is_leaf = 0 AND u.type = 'replacing')) AS replacing
FROM vdev v
WHERE v.is_leaf = 1 AND v.node IS NOT NULL AND v.pool IS NOT NULL AND v.state IN ('UNAVAIL', 'FAULTED') AND coalesce(v.class, 'data') <> 'spare'
  AND coalesce(v.read_errors, 0) + coalesce(v.write_errors, 0) + coalesce(v.cksum_errors, 0) = 0
  AND coalesce(v.text, '') NOT LIKE '%too many%' AND coalesce(v.text, '') NOT LIKE '%external%' AND coalesce(v.text, '') NOT LIKE '%I/O failures%'
GROUP BY v.capture, v.pool, v.node, v.name;

-- What a label on a present drive, or a listing of file systems, says; own: it was read on this very device.
CREATE VIEW zfs_label AS
SELECT s.capture, coalesce(d.node, e.parent) AS drive, s.node AS part, max(CASE s.key WHEN 'zfs_guid' THEN s.value END) AS guid,
       max(CASE s.key WHEN 'zfs_label_path' THEN s.value END) AS path, max(CASE s.key WHEN 'zfs_pool_guid' THEN s.value END) AS pool_guid,
       max(CASE s.key WHEN 'zfs_pool_state' THEN s.value END) AS state,
       coalesce(max(CASE s.key WHEN 'zfs_pool_name' THEN s.value END),
                CASE WHEN max(s.key = 'fs_type' AND s.value = 'zfs_member') THEN max(CASE s.key WHEN 'fs_label' THEN s.value END) END) AS pool_name,
       max(s.key = 'zfs_pool_name') AS own
FROM setting s LEFT JOIN drive d ON d.node = s.node AND d.capture = s.capture
LEFT JOIN edge e ON e.capture = s.capture AND e.child = s.node AND EXISTS (SELECT 1 FROM drive x WHERE x.node = e.parent AND x.capture = e.capture)
WHERE coalesce(s.boot, 0) = 0 AND s.key IN ('zfs_guid', 'zfs_label_path', 'zfs_pool_guid', 'zfs_pool_state', 'zfs_pool_name', 'fs_type', 'fs_label')
GROUP BY s.capture, s.node HAVING coalesce(d.node, e.parent) IS NOT NULL;

-- The drive that carries the guid of a missing member, or is the one its device id or link names.
CREATE VIEW zfs_tied AS
SELECT m.capture, m.pool, m.name, l.drive, l.own, l.path FROM zfs_missing m JOIN zfs_label l ON l.capture = m.capture AND l.guid = m.guid
WHERE l.pool_guid IS NULL OR NOT EXISTS ( -- a label of another pool, or of an older one of this name
    SELECT 1 FROM vdev o JOIN zfs_label x ON x.capture = o.capture AND x.drive = o.node
    WHERE o.capture = m.capture AND o.pool = m.pool AND o.is_leaf = 1 AND o.state = 'ONLINE' AND x.pool_guid <> l.pool_guid)
UNION ALL
SELECT m.capture, m.pool, m.name, m.node, NULL, NULL FROM zfs_missing m JOIN drive d ON d.node = m.node AND d.capture = m.capture
WHERE m.matched_by IN ('guid', 'devid') AND m.guid NOT IN (SELECT l.guid FROM zfs_label l WHERE l.capture = m.capture AND l.guid IS NOT NULL)
UNION ALL
SELECT m.capture, m.pool, m.name, min(h.drive), NULL, NULL FROM zfs_missing m JOIN link_here h ON h.capture = m.capture AND h.node = m.node
WHERE coalesce(m.guid, '') NOT IN (SELECT l.guid FROM zfs_label l WHERE l.capture = m.capture AND l.guid IS NOT NULL)
GROUP BY m.capture, m.pool, m.name HAVING count(DISTINCT h.drive) = 1;

-- Drives that carry a label of the pool and are no member in use.
CREATE VIEW zfs_spare_label AS
WITH used AS (
    SELECT u.capture, u.pool, u.node FROM vdev u
    WHERE u.is_leaf = 1 AND u.node IS NOT NULL AND u.pool IS NOT NULL AND (u.pool, u.name) NOT IN (SELECT m.pool, m.name FROM zfs_missing m WHERE m.capture = u.capture)
    UNION SELECT t.capture, t.pool, t.drive FROM zfs_tied t
)
SELECT DISTINCT p.capture, p.node AS pool, l.drive, l.path, replace(rtrim(l.path, '0123456789'), '/dev/', '') AS path_name
FROM pool p JOIN zfs_label l ON l.capture = p.capture AND l.pool_name = p.name
WHERE p.node IS NOT NULL AND coalesce(l.state, 'active') = 'active' AND (p.node, l.drive) NOT IN (SELECT u.pool, u.node FROM used u WHERE u.capture = p.capture)
  AND (l.pool_guid IS NULL OR NOT EXISTS (SELECT 1 FROM setting g WHERE g.capture = p.capture AND g.node = p.node AND g.key = 'zfs_pool_guid' AND g.value <> l.pool_guid));

-- ---------------------------------------------------------------- how a pool is built, and what its datasets are set to
-- Properties of datasets: the word of the output that was read last.
CREATE VIEW zfs_property AS
SELECT s.capture, e.parent AS pool, s.node, n.label AS name, s.key, s.value, s.line, max(s.src) AS src
FROM setting s JOIN node n ON n.id = s.node AND n.kind = 'volume'
     JOIN edge e ON e.capture = s.capture AND e.child = s.node JOIN node p ON p.id = e.parent AND p.kind = 'pool'
WHERE coalesce(s.boot, 0) = 0
  AND s.key IN ('sync', 'compression', 'recordsize_bytes', 'logbias', 'atime', 'relatime', 'primarycache', 'secondarycache', 'dedup', 'direct', 'encryption', 'volblocksize_bytes', 'volsize_bytes',
                'special_small_blocks_bytes', 'refreservation_bytes', 'used_bytes', 'usedbysnapshots_bytes', 'usedbyrefreservation_bytes', 'available_bytes', 'mountpoint')
GROUP BY s.capture, e.parent, s.node, s.key;

-- Members with the top-level vdev they belong to, once each, however many outputs list them.
CREATE VIEW zfs_leaf AS
SELECT v.capture, v.pool, coalesce(v.class, 'data') AS class,
       CASE WHEN v.parent = v.pool THEN v.node WHEN p.parent = v.pool THEN p.node ELSE g.node END AS top,
       CASE WHEN v.parent = v.pool THEN 'disk' WHEN p.parent = v.pool THEN p.type ELSE g.type END AS top_type,
       CASE WHEN v.parent = v.pool THEN coalesce(d.name, v.name) WHEN p.parent = v.pool THEN p.name ELSE g.name END AS top_name,
       v.node, v.name, coalesce(d.name, v.name) AS drive, d.media, d.bus, d.model, d.size_bytes, d.plp, coalesce(d.is_virtual, 0) AS is_virtual, v.state, v.line, max(v.src) AS src
FROM vdev v LEFT JOIN drive d ON d.node = v.node AND d.capture = v.capture
     LEFT JOIN vdev p ON p.capture = v.capture AND p.node = v.parent AND p.is_leaf = 0 AND p.pool = v.pool AND v.parent <> v.pool
     LEFT JOIN vdev g ON g.capture = v.capture AND g.node = p.parent AND g.is_leaf = 0 AND g.pool = v.pool AND p.parent <> v.pool
WHERE v.is_leaf = 1 AND v.pool IS NOT NULL AND v.node IS NOT NULL
GROUP BY v.capture, v.pool, coalesce(v.class, 'data'), v.node;

-- One row per pool: what carries its data and what stands beside. raidz counts draid, too.
CREATE VIEW zfs_layout AS
SELECT capture, pool, sum(class = 'data') AS disks, sum(class = 'data' AND coalesce(media, '') = 'hdd') AS hdds, sum(class = 'data' AND coalesce(media, '') IN ('ssd', 'nvme')) AS ssds,
       sum(class = 'log') AS logs, sum(class = 'cache') AS caches, sum(class IN ('special', 'dedup')) AS specials, max(is_virtual) AS is_virtual,
       count(DISTINCT CASE WHEN class = 'data' THEN top END) AS vdevs, count(DISTINCT CASE WHEN class = 'data' AND (top_type GLOB 'raidz*' OR top_type GLOB 'draid*') THEN top END) AS raidz,
       group_concat(DISTINCT CASE WHEN class = 'data' THEN top_name END) AS vdev_names, min(CASE WHEN class = 'data' THEN src END) AS src, min(CASE WHEN class = 'data' THEN line END) AS line
FROM zfs_leaf GROUP BY capture, pool;

-- What counters of ZFS did between the first and the last reading of a capture. seconds: NULL where nothing tells when they were read.
CREATE VIEW zfs_growth AS
WITH stamped AS (
    SELECT o.id, min(m.start_s) AS t_s FROM source o JOIN manifest m ON o.member LIKE '%' || m.name || '.out' JOIN source ms ON ms.id = m.src AND ms.bundle = o.bundle AND ms.capture IS o.capture
    WHERE o.tool IN ('zfs-kstat', 'sysctl') GROUP BY o.id
), reading AS (
    SELECT c.capture, c.node, c.name, c.value, coalesce(c.t_mono_s, s.t_s) AS t, c.src, c.line,
           row_number() OVER (PARTITION BY c.capture, c.node, c.name ORDER BY c.value, coalesce(c.t_mono_s, s.t_s), c.src, c.line) AS early,
           row_number() OVER (PARTITION BY c.capture, c.node, c.name ORDER BY c.value DESC, coalesce(c.t_mono_s, s.t_s) DESC, c.src DESC, c.line DESC) AS late
    FROM counter c LEFT JOIN stamped s ON s.id = c.src
    WHERE c.kind = 'zfs' AND c.src NOT IN (SELECT id FROM source WHERE tool = 'arc-summary') AND ( -- its figures are rounded
          c.name GLOB 'zil_*' OR c.name GLOB 'dmu_tx_*' OR c.name GLOB 'objset.*' OR c.name GLOB 'arcstats.*hits' OR c.name GLOB 'arcstats.*misses' OR c.name GLOB 'arcstats.memory_*_count'
                              OR c.name GLOB 'arcstats.l2_*_bytes')
)
SELECT a.capture, a.node, a.name, a.value AS before, b.value AS now, b.value - a.value AS grown, CASE WHEN b.t > a.t THEN b.t - a.t END AS seconds,
       (b.value - a.value) / CASE WHEN b.t > a.t THEN b.t - a.t END AS per_s, a.src AS first_src, a.line AS first_line, b.src, b.line
FROM reading a JOIN reading b ON b.capture = a.capture AND b.node = a.node AND b.name = a.name AND b.late = 1
WHERE a.early = 1 AND (a.src <> b.src OR a.line <> b.line);

-- What the intent log of each pool did while it was watched. Older versions count it for the host only: then it is known where there is one pool.
CREATE VIEW zfs_zil AS
WITH one AS (SELECT capture, min(node) AS pool FROM pool WHERE node IS NOT NULL GROUP BY capture HAVING count(DISTINCT node) = 1),
part AS (
    SELECT g.capture, e.parent AS pool, substr(g.name, 8) AS name, sum(g.per_s) AS per_s, max(g.seconds) AS seconds, min(g.src) AS src, first_line(g.src, g.line) AS line
    FROM zfs_growth g JOIN (SELECT DISTINCT x.capture, x.parent, x.child FROM edge x JOIN node p ON p.id = x.parent AND p.kind = 'pool') e ON e.capture = g.capture AND e.child = g.node
    WHERE g.name GLOB 'objset.zil_*' AND g.seconds > 0 GROUP BY g.capture, e.parent, g.name
    UNION ALL
    SELECT g.capture, o.pool, g.name, g.per_s, g.seconds, g.src, g.line FROM zfs_growth g JOIN one o ON o.capture = g.capture WHERE g.name GLOB 'zil_*' AND g.seconds > 0
), ranked AS (SELECT *, row_number() OVER (PARTITION BY capture, pool, name ORDER BY per_s DESC, src, line) AS rank FROM part)
SELECT capture, pool, max(seconds) AS seconds, max(CASE WHEN name = 'zil_commit_count' THEN per_s END) AS commits_s, max(CASE WHEN name = 'zil_itx_metaslab_slog_bytes' THEN per_s END) AS slog_bytes_s,
       max(CASE WHEN name = 'zil_itx_metaslab_normal_bytes' THEN per_s END) AS normal_bytes_s,
       max(CASE WHEN name = 'zil_commit_count' THEN src END) AS src, max(CASE WHEN name = 'zil_commit_count' THEN line END) AS line,
       max(CASE WHEN name = 'zil_itx_metaslab_slog_bytes' THEN src END) AS slog_src, max(CASE WHEN name = 'zil_itx_metaslab_slog_bytes' THEN line END) AS slog_line
FROM ranked WHERE rank = 1 GROUP BY capture, pool;

-- Requests of a pool by what waited for them, from zpool iostat -r; interval: 1 where they were counted while somebody watched, 0 since import.
CREATE VIEW zfs_request AS
SELECT capture, node AS pool, max(CASE WHEN name = 'zpool_r.interval' THEN value END) AS interval, max(CASE WHEN name = 'zpool_r.sync_write' THEN value END) AS sync_write,
       max(CASE WHEN name = 'zpool_r.async_write' THEN value END) AS async_write, max(CASE WHEN name = 'zpool_r.sync_read' THEN value END) AS sync_read,
       max(CASE WHEN name = 'zpool_r.async_read' THEN value END) AS async_read,
       sum(CASE WHEN name GLOB 'zpool_r.*_small' THEN value END) AS small, sum(CASE WHEN name GLOB 'zpool_r.*ync_*' AND name NOT GLOB '*_small' THEN value END) AS everything, src, min(line) AS line
FROM (SELECT c.*, max(src) OVER (PARTITION BY capture, node) AS newest FROM counter c WHERE c.kind = 'zfs' AND c.name GLOB 'zpool_r.*') WHERE src = newest
GROUP BY capture, node;

-- What a ZFS parameter is set to, under its name on Linux; also where FreeBSD calls it vfs.zfs.
CREATE VIEW zfs_parameter AS
SELECT s.capture, s.node, substr(s.value, 1, instr(s.value, '=') - 1) AS said,
       CASE WHEN s.value GLOB 'vfs.zfs.cache_flush_disable=*' THEN 'zfs_nocacheflush'
            WHEN s.value GLOB 'vfs.zfs.*' THEN
                 CASE WHEN s.value GLOB 'vfs.zfs.l2arc*' OR s.value GLOB 'vfs.zfs.spa*' OR s.value GLOB 'vfs.zfs.zi[lo]*' OR s.value GLOB 'vfs.zfs.metaslab*' THEN '' ELSE 'zfs_' END
                 || replace(substr(s.value, 9, instr(s.value, '=') - 9), '.', '_')
            ELSE substr(s.value, 1, instr(s.value, '=') - 1) END AS name,
       trim(substr(s.value, instr(s.value, '=') + 1)) AS value, s.line, max(s.src) AS src
FROM setting s WHERE s.key = 'zfs_parameter' AND coalesce(s.boot, 0) = 0 AND instr(s.value, '=') > 1
GROUP BY s.capture, s.node, said;

-- ---------------------------------------------------------------- write caches
-- Every word about a write cache in the boot of the capture; is_log: the kernel log's.
CREATE VIEW cache_said AS
SELECT s.capture, s.node, s.value, s.view, s.src, s.line, coalesce(o.tool = 'kernel-log', 0) AS is_log
FROM setting s LEFT JOIN source o ON o.id = s.src
WHERE s.key = 'write_cache' AND s.value IN ('on', 'off') AND coalesce(s.boot, 0) = 0;

-- What the kernel printed: the state at probe and again whenever it changes.
CREATE VIEW cache_printed AS
SELECT capture, node, CASE json_extract(fields, '$.wc') WHEN 'enabled' THEN 'on' ELSE 'off' END AS value, t_mono_s, src, line
FROM log_event
WHERE coalesce(boot, 0) = 0 AND event = 'write-cache-state' AND json_valid(fields) AND json_extract(fields, '$.wc') IN ('enabled', 'disabled')
UNION ALL
SELECT c.capture, c.node, c.value, NULL, c.src, c.line FROM cache_said c
WHERE c.is_log = 1 AND NOT EXISTS (SELECT 1 FROM log_event l WHERE l.capture = c.capture AND l.event = 'write-cache-state' AND l.src = c.src AND l.line = c.line);

-- What each speaker says now of a drive's cache; NULL: nothing, or it contradicts itself.
CREATE VIEW cache_word AS
SELECT d.capture, d.node,
       (SELECT CASE WHEN min(value) = max(value) THEN min(value) END FROM cache_said WHERE capture = d.capture AND node = d.node AND view = 'drive') AS drive_says,
       (SELECT CASE WHEN min(value) = max(value) THEN min(value) END FROM cache_said WHERE capture = d.capture AND node = d.node AND view = 'kernel' AND is_log = 0) AS sysfs_says,
       (SELECT value FROM cache_printed WHERE capture = d.capture AND node = d.node ORDER BY src DESC, line DESC LIMIT 1) AS log_says
FROM drive d;

-- Drives with power-loss protection: it is known of the model, or an attribute tests the capacitors and passes.
CREATE VIEW plp_drive AS
SELECT capture, node FROM drive WHERE plp = 'yes'
UNION
SELECT capture, node FROM counter
WHERE kind = 'ata' AND (name LIKE '%Power_Loss_Cap%' OR name LIKE '%Supercap%' OR name LIKE '%Capacitor%')
  AND when_failed IS NOT 'now' AND NOT (coalesce(threshold, 0) > 0 AND coalesce(normalized, 255) <= threshold);

-- How long writes of a drive wait: samples before a lone report, the kernel before the pool.
CREATE VIEW write_wait AS
SELECT capture, node, ms, busy, basis, src, line
FROM (SELECT capture, node, coalesce(busy_p50, p50, mean) AS ms, coalesce(n_busy, 0) AS busy,
             CASE WHEN basis = 'lifetime average'
                  THEN 'lifetime average (since ' || CASE WHEN tool LIKE 'zpool%' THEN 'import)' ELSE 'boot)' END
                  ELSE 'median of ' || coalesce(n_busy, n) || ' busy samples' END AS basis,
             src, line,
             row_number() OVER (PARTITION BY capture, node ORDER BY basis = 'lifetime average', metric = 'disk_wait_write_ms', n DESC, src) AS rank
      FROM distribution
      WHERE metric IN ('w_await_ms', 'disk_wait_write_ms') AND coalesce(busy_p50, p50, mean) IS NOT NULL)
WHERE rank = 1;

-- ---------------------------------------------------------------- software RAID (md)
-- What mdstat, mdadm and sysfs say of an array, in one row. whole: 1 where every source with counts says that all members are active.
-- action: what it synchronises now (resync recovery reshape check repair), NULL: nothing or not said; idle: 1 where a source says so.
CREATE VIEW md_array AS
SELECT a.capture, a.node, n.label AS name, max(a.level) AS level, max(a.raid_disks) AS raid_disks, min(a.active_disks) AS active_disks,
       min(CASE WHEN a.raid_disks > 0 AND a.active_disks IS NOT NULL THEN a.active_disks >= a.raid_disks END) AS whole,
       max(CASE WHEN a.sync_action IS NOT NULL AND a.sync_action NOT IN ('idle', 'frozen', 'none') AND (a.sync_pct IS NOT NULL OR w.value IS NULL)
                THEN CASE a.sync_action WHEN 'recover' THEN 'recovery' WHEN 'data-check' THEN 'check' ELSE a.sync_action END END) AS action,
       max(a.sync_action = 'idle') AS idle, max(a.sync_pct) AS sync_pct, max(w.value) AS waits,
       max(a.level = 'container' OR EXISTS (SELECT 1 FROM setting x WHERE x.capture = a.capture AND x.node = a.node AND (x.key = 'md_external' OR (x.key = 'md_metadata' AND x.value IN ('imsm', 'ddf'))))) AS container,
       max(a.level IN ('raid4', 'raid5', 'raid6')) AS parity, max(a.level IN ('raid1', 'raid4', 'raid5', 'raid6', 'raid10')) AS redundant, min(a.src) AS src, first_line(a.src, a.line) AS line
FROM raid_array a JOIN node n ON n.id = a.node
     LEFT JOIN setting w ON w.capture = a.capture AND w.node = a.node AND w.src = a.src AND w.key = 'md_sync_waits'
WHERE a.kind = 'md' GROUP BY a.capture, a.node;

-- The drive below a member's partition or volume. A paste may know partitions only: then the member stands for it.
CREATE VIEW block_drive AS
SELECT r.capture, r.above AS member, d.node AS drive, d.name, d.media FROM reach r JOIN drive d ON d.node = r.below AND d.capture = r.capture
UNION ALL
SELECT r.capture, r.above, r.above, n.label, NULL FROM reach r JOIN node n ON n.id = r.above AND n.kind IN ('partition', 'volume')
WHERE r.below = r.above AND NOT EXISTS (SELECT 1 FROM reach q JOIN drive d ON d.node = q.below AND d.capture = q.capture WHERE q.capture = r.capture AND q.above = r.above);

-- Members of arrays, each with the drive below; one row per member and drive.
CREATE VIEW md_member AS
SELECT DISTINCT a.capture, a.node AS array, m.label AS array_name, e.parent AS member, n.label AS name, b.drive, b.name AS drive_name, b.media
FROM (SELECT DISTINCT capture, node FROM raid_array WHERE kind = 'md' AND node IS NOT NULL) a JOIN node m ON m.id = a.node
     JOIN edge e ON e.capture = a.capture AND e.child = a.node JOIN node n ON n.id = e.parent AND n.kind IN ('drive', 'partition', 'volume')
     JOIN block_drive b ON b.capture = e.capture AND b.member = e.parent;

-- What the log of this boot says of one member (dropped, not fresh, read errors): `node` is the drive, or the member where no drive is known.
-- array: the array's name, NULL where the line does not say it. GEOM's lines have pages of their own.
CREATE VIEW md_member_event AS
WITH said AS (
    SELECT l.capture, l.event, l.sig, l.node, l.fields, coalesce(l.count, 1) AS count, coalesce(l.t_mono_s, l.t_s) AS t, l.src, l.line,
           replace(coalesce(json_extract(l.fields, '$.dev'), json_extract(l.fields, '$.dev3'), json_extract(l.fields, '$.dev2')), '/dev/', '') AS member, replace(replace(json_extract(l.fields, '$.md'), '/dev/md/', ''), '/dev/', '') AS array
    FROM log_event l
    WHERE coalesce(l.boot, 0) = 0 AND l.event IN ('md-member-failed', 'md-non-fresh', 'md-read-corrected', 'md-read-failed') AND json_valid(l.fields)
      AND l.sig NOT LIKE 'gmirror%' AND l.sig NOT LIKE 'FBSD%'
), tied AS (
    SELECT s.*, CASE WHEN n.kind IN ('drive', 'partition', 'volume') THEN n.id
                     ELSE (SELECT min(m.id) FROM node m JOIN reach r ON r.capture = s.capture AND r.above = m.id AND r.below = m.id WHERE m.label = s.member AND m.kind IN ('drive', 'partition', 'volume')) END AS member_node
    FROM said s LEFT JOIN node n ON n.id = s.node
    WHERE s.member IS NOT NULL
)
SELECT t.capture, t.event, t.sig, coalesce(d.node, t.member_node) AS node, t.member_node, t.member, t.array, t.count, t.t, t.fields, t.src, t.line
FROM tied t LEFT JOIN reach r ON r.capture = t.capture AND r.above = t.member_node LEFT JOIN drive d ON d.node = r.below AND d.capture = r.capture
WHERE t.member_node IS NOT NULL AND (d.node IS NOT NULL OR r.below = t.member_node)
  AND (d.node IS NOT NULL OR NOT EXISTS (SELECT 1 FROM reach q JOIN drive x ON x.node = q.below AND x.capture = q.capture WHERE q.capture = t.capture AND q.above = t.member_node));

-- ---------------------------------------------------------------- LVM and the device mapper
-- Thin pools: what lvs, dmsetup status and the pool's settings say of one, in one row. lv: vg/pool, or the device's name.
CREATE VIEW thin_pool AS
SELECT s.capture, s.node, coalesce(max(CASE WHEN s.key = 'lvm_lv' THEN s.value END), n.label) AS lv, max(CASE WHEN s.key = 'thin_data_pct' THEN CAST(s.value AS REAL) END) AS data_pct,
       max(CASE WHEN s.key = 'thin_metadata_pct' THEN CAST(s.value AS REAL) END) AS meta_pct, max(CASE WHEN s.key = 'thin_mode' AND s.value <> 'rw' THEN s.value END) AS bad_mode,
       max(s.key = 'thin_mode' AND s.value = 'rw') AS writable, max(s.key = 'thin_needs_check' AND s.value = '1') AS needs_check, max(CASE WHEN s.key = 'thin_discard' THEN s.value END) AS discard,
       max(CASE WHEN s.key = 'thin_no_space' THEN s.value END) AS no_space, max(CASE WHEN s.key = 'size_bytes' THEN CAST(s.value AS REAL) END) AS size_bytes,
       max(CASE WHEN s.key = 'lvm_monitored' THEN s.value END) AS monitored, max(CASE WHEN s.key IN ('thin_data_pct', 'thin_mode') THEN s.src END) AS src
FROM setting s JOIN node n ON n.id = s.node
WHERE coalesce(s.boot, 0) = 0 AND s.key IN ('lvm_lv', 'thin_data_pct', 'thin_metadata_pct', 'thin_mode', 'thin_needs_check', 'thin_discard', 'thin_no_space', 'size_bytes', 'lvm_monitored')
  AND s.node IN (SELECT t.node FROM setting t WHERE t.capture = s.capture AND t.key IN ('thin_data_pct', 'thin_metadata_pct', 'thin_mode'))
GROUP BY s.capture, s.node;

-- What the log of this boot says of thin pools; kind: data, meta (full or damaged), low (filling up), good (writable again).
CREATE VIEW thin_event AS
SELECT l.capture, l.node, CASE WHEN l.event = 'thin-pool-writable' THEN 'good' WHEN l.event = 'thin-pool-filling' OR what LIKE 'reached low water%' THEN 'low'
                               WHEN mode LIKE 'out-of-data%' OR what LIKE '%out-of-data%' OR what LIKE 'no free data%' OR (l.op = 'dm_pool_alloc_data_block' AND l.err = '-28') THEN 'data'
                               WHEN what LIKE '%switching pool to write mode%' THEN 'good' ELSE 'meta' END AS kind,
       coalesce(l.t_mono_s, l.t_s) AS t, l.src, l.line
FROM (SELECT x.*, coalesce(json_extract(x.fields, '$.mode'), '') AS mode, coalesce(json_extract(x.fields, '$.what'), '') AS what, json_extract(x.fields, '$.op') AS op, json_extract(x.fields, '$.err') AS err
      FROM log_event x WHERE coalesce(x.boot, 0) = 0 AND x.event IN ('thin-pool-mode', 'thin-pool-metadata', 'thin-pool-writable', 'thin-pool-filling') AND json_valid(x.fields) AND x.node IS NOT NULL) l;

-- ---------------------------------------------------------------- jobs: work that comes by itself
-- Every job of a capture on one time line, whoever tells of it: pools and arrays themselves, drives, task lists, timers, crontabs, the log,
-- processes that were seen. runs: 1 it was seen running. end_s NULL: when it ended nobody says. Times that cannot be put beside
-- the capture's are NULL.
CREATE VIEW job_seen AS
WITH logged AS (
    SELECT l.capture, l.event, l.node, l.t_s, coalesce(json_extract(l.fields, '$.unit'), json_extract(l.fields, '$.task'), json_extract(l.fields, '$.cmd')) AS id,
           coalesce(json_extract(l.fields, '$.type') || ' ' || json_extract(l.fields, '$.id'), json_extract(l.fields, '$.unit'), json_extract(l.fields, '$.cmd')) AS name, l.sig, l.src, l.line
    FROM log_event l LEFT JOIN source o ON o.id = l.src JOIN capture c ON c.id = l.capture
    WHERE l.event IN ('job-start', 'job-end') AND coalesce(l.boot, 0) = 0 AND l.t_s IS NOT NULL AND json_valid(l.fields) AND NOT (coalesce(o.local_time, 0) = 1 AND c.timezone_s IS NULL)
), named AS (
    SELECT *, CASE WHEN name LIKE '%fstrim%' OR name LIKE '%trim%' THEN 'trim' WHEN name LIKE '%scrub%' THEN 'scrub' WHEN name LIKE '%mdcheck%' OR name LIKE '%checkarray%' OR name LIKE '%raid-check%' OR name LIKE '%snapraid%' THEN 'check'
                   WHEN name LIKE 'garbage_collection%' THEN 'gc' WHEN name LIKE 'verif%' THEN 'verify' WHEN name LIKE 'prune%' THEN 'prune'
                   WHEN name LIKE 'syncjob%' OR name LIKE '%syncoid%' OR name LIKE '%zrepl%' THEN 'sync'
                   WHEN name LIKE 'dpkg-db-backup%' THEN NULL WHEN name LIKE '%updatedb%' THEN 'index' WHEN name LIKE '%balance%' OR name LIKE '%defrag%' THEN 'balance' WHEN name LIKE '%cron.daily%' THEN 'daily'
                   WHEN name LIKE 'vzdump%' OR name LIKE '%backup%' OR name LIKE '%borg%' OR name LIKE '%restic%' OR name LIKE '%rsync%' OR name LIKE '%rsnapshot%' OR name LIKE '%duplicity%' THEN 'backup' END AS kind
    FROM logged
)
SELECT capture, node, kind, name, told_by, state, start_s, end_s, coalesce(state = 'running', 0) AS runs, src, line FROM job WHERE kind IS NOT NULL
UNION ALL
SELECT s.capture, s.node, CASE s.kind WHEN 'rebuild' THEN 'resilver' ELSE s.kind END, s.kind || ' of ' || n.label, 'zpool status', s.state, CASE WHEN k.known THEN s.start_s END, CASE WHEN k.known THEN s.end_s END, s.state = 'running', s.src, s.line
FROM pool_scan s JOIN node n ON n.id = s.node
     JOIN (SELECT o.id, NOT (coalesce(o.local_time, 0) = 1 AND c.timezone_s IS NULL) AS known FROM source o JOIN capture c ON c.id = o.capture) k ON k.id = s.src
WHERE s.kind IN ('scrub', 'resilver', 'rebuild') AND s.state IN ('running', 'finished', 'canceled')
UNION ALL
SELECT v.capture, v.pool, 'trim', 'TRIM of ' || n.label, 'zpool status', 'running', NULL, NULL, 1, min(v.src), first_line(v.src, v.line)
FROM vdev v JOIN node n ON n.id = v.pool WHERE v.trim_state = 'trimming' AND coalesce(v.trim_pct, 0) < 100 GROUP BY v.capture, v.pool
UNION ALL
SELECT a.capture, a.node, CASE WHEN a.action IN ('check', 'repair') THEN 'check' ELSE 'resync' END, a.action || ' of ' || a.name, 'md', 'running', NULL, NULL, 1, a.src, a.line FROM md_array a WHERE a.action IS NOT NULL
UNION ALL -- those that ended, by the log; what runs says the array itself
SELECT l.capture, l.node, CASE WHEN json_extract(l.fields, '$.desc') IN ('data-check', 'check', 'requested-resync') THEN 'check' ELSE 'resync' END, json_extract(l.fields, '$.desc') || ' of ' || n.label, 'md log', 'finished', l.t_s, e.t_s, 0, l.src, l.line
FROM log_event l JOIN node n ON n.id = l.node AND n.kind = 'array' LEFT JOIN source o ON o.id = l.src JOIN capture c ON c.id = l.capture
     JOIN log_event e ON e.capture = l.capture AND e.node = l.node AND e.event = 'md-sync-end' AND e.src = l.src AND e.line = (SELECT min(x.line) FROM log_event x WHERE x.capture = l.capture AND x.node = l.node AND x.src = l.src AND x.event = 'md-sync-end' AND x.line > l.line)
WHERE l.event = 'md-sync-start' AND coalesce(l.boot, 0) = 0 AND json_valid(l.fields) AND l.t_s IS NOT NULL AND e.t_s IS NOT NULL AND NOT (coalesce(o.local_time, 0) = 1 AND c.timezone_s IS NULL)
UNION ALL
SELECT s.capture, s.node, 'self-test', 'self-test of ' || n.label, 'the drive', 'running', NULL, NULL, 1, min(s.src), first_line(s.src, s.line)
FROM setting s JOIN node n ON n.id = s.node WHERE s.key = 'self_test_status' AND s.value = 'in-progress' AND coalesce(s.boot, 0) = 0 GROUP BY s.capture, s.node
UNION ALL -- smartd looks every half hour, so the end may be that much earlier
SELECT l.capture, l.node, 'self-test', json_extract(l.fields, '$.unit') || ' self-test of ' || n.label, 'log', NULL, l.t_s,
       (SELECT min(e.t_s) FROM log_event e WHERE e.capture = l.capture AND e.event = 'self-test-end' AND e.node = l.node AND e.t_s >= l.t_s), 0, l.src, l.line
FROM log_event l JOIN node n ON n.id = l.node LEFT JOIN source o ON o.id = l.src JOIN capture c ON c.id = l.capture
WHERE l.event = 'self-test-start' AND coalesce(l.boot, 0) = 0 AND json_valid(l.fields) AND json_extract(l.fields, '$.unit') <> 'Short' AND l.t_s IS NOT NULL AND NOT (coalesce(o.local_time, 0) = 1 AND c.timezone_s IS NULL)
UNION ALL
SELECT n.capture, h.node, n.kind, substr(n.name, 1, 100), CASE n.sig WHEN 'JOB003' THEN 'cron log' ELSE 'log' END, NULL, n.t_s,
       (SELECT min(e.t_s) FROM named e WHERE e.capture = n.capture AND e.event = 'job-end' AND e.id = n.id AND e.t_s >= n.t_s), 0, n.src, n.line
FROM named n JOIN host h ON h.capture = n.capture WHERE n.event = 'job-start' AND n.kind IS NOT NULL
UNION ALL
SELECT p.capture, h.node, p.job, p.command, p.tool, 'running', min(p.t_s), max(p.t_s), 1, p.src, first_line(p.src, p.line)
FROM process_io p JOIN host h ON h.capture = p.capture WHERE p.job IS NOT NULL AND coalesce(p.read_bytes_s, 0) + coalesce(p.write_bytes_s, 0) >= 1e6 GROUP BY p.capture, p.src, p.command;

-- When it was slow: the time that was sampled, else that of the capture; and the moments of hung tasks.
CREATE VIEW complaint_window AS
WITH sampled AS (SELECT capture, min(first_s) AS from_s, max(last_s) AS to_s, min(src) AS src, first_line(src, header_line) AS line FROM series WHERE has_time = 1 AND first_s IS NOT NULL AND n >= 2 GROUP BY capture)
SELECT capture, from_s, to_s, 'these samples were taken' AS what, src, line FROM sampled
UNION ALL
SELECT c.id, c.start_s, coalesce(c.end_s, c.start_s), 'this capture was made', NULL, NULL FROM capture c WHERE c.start_s IS NOT NULL AND c.id NOT IN (SELECT capture FROM sampled)
UNION ALL
SELECT l.capture, min(l.t_s) - 120, max(coalesce(l.last_t_s, l.t_s)), 'tasks hung', min(l.src), first_line(l.src, l.line)
FROM log_event l LEFT JOIN source o ON o.id = l.src JOIN capture c ON c.id = l.capture
WHERE l.event = 'hung-task' AND coalesce(l.boot, 0) = 0 AND l.t_s IS NOT NULL AND NOT (coalesce(o.local_time, 0) = 1 AND c.timezone_s IS NULL)
GROUP BY l.capture, CAST(l.t_s / 3600 AS INTEGER);

-- Hosts on which somebody has something to complain of: a symptom of the waiting chain was found.
CREATE VIEW felt_host AS
SELECT DISTINCT h.capture, h.node FROM finding f JOIN host h ON h.capture = f.capture
WHERE f.kind = 'symptom' AND f.answer = 'found' AND f.confidence >= 0.3
  AND f.symptom IN ('io-pressure', 'iowait', 'read-latency', 'write-latency', 'sync-latency', 'latency-spikes', 'discard-latency', 'hung-tasks', 'low-throughput', 'low-iops');

-- Jobs that coincide with it. sure: 0.75 it was seen running or its times overlap; 0.6 it began meanwhile; 0.4 it began in the half hour before
-- and nobody says when it ended, or a crontab had it due. effect: what the longest waits of the moment did in the half hours around it where it began or ended within the
-- samples: fell (without it they are less than half), stayed, NULL nothing can be said. with_ms and without_ms: medians of both times.
CREATE VIEW job_coincident AS
WITH met AS (
    SELECT j.*, w.from_s, w.to_s, w.what,
           CASE WHEN j.runs THEN CASE j.told_by WHEN 'ps' THEN 0.5 ELSE 0.75 END WHEN j.told_by = 'cron' THEN CASE WHEN j.state = 'conditional' THEN 0.3 ELSE 0.4 END
                WHEN j.end_s IS NOT NULL THEN 0.75 WHEN j.start_s >= w.from_s THEN 0.6 ELSE 0.4 END AS sure,
           row_number() OVER (PARTITION BY j.capture, j.kind, j.name, j.told_by ORDER BY j.start_s DESC, w.from_s) AS rank
    FROM job_seen j LEFT JOIN complaint_window w ON w.capture = j.capture
    -- where the log has both ends of a unit, its timer tells nothing more
    WHERE NOT (j.told_by = 'timer' AND EXISTS (SELECT 1 FROM job_seen o WHERE o.capture = j.capture AND o.told_by = 'log' AND o.name = j.name AND abs(o.start_s - j.start_s) < 120))
      AND ((j.runs AND (w.capture IS NULL OR j.start_s IS NULL OR j.start_s <= w.to_s))
       OR (NOT j.runs AND j.start_s <= w.to_s AND CASE WHEN j.end_s IS NOT NULL THEN j.end_s > w.from_s + 10 ELSE j.start_s >= w.from_s - 1800 END))
), edge_in AS ( -- its beginning or end lies within the samples
    SELECT m.capture, m.src, m.line, m.kind, m.name, coalesce(CASE WHEN m.end_s < m.to_s - 20 AND NOT m.runs THEN m.end_s END, CASE WHEN m.start_s > m.from_s + 20 THEN m.start_s END) AS at_s,
           CASE WHEN m.end_s < m.to_s - 20 AND NOT m.runs THEN 1 ELSE 0 END AS ended
    FROM met m WHERE m.rank = 1 AND m.what = 'these samples were taken' AND m.sure >= 0.6 AND m.told_by NOT IN ('pidstat', 'iotop', 'ps')
    ORDER BY m.start_s DESC, m.src, m.line LIMIT 10
), waits AS ( -- of the drive that waits longest at each moment
    SELECT e.capture, e.src, e.line, e.name, (x.t <= e.at_s) = e.ended AS with_it,
           max(max(CASE WHEN x.r_s >= 5 THEN coalesce(x.r_await_ms, 0) ELSE 0 END, CASE WHEN x.w_s >= 5 THEN coalesce(x.w_await_ms, 0) ELSE 0 END)) AS ms
    FROM edge_in e CROSS JOIN sample x
    WHERE e.at_s IS NOT NULL AND x.capture = e.capture AND x.t >= e.at_s - 1800 AND x.t <= e.at_s + 1800 AND (x.r_s >= 5 OR x.w_s >= 5) AND x.tool NOT LIKE 'zpool%' AND EXISTS (SELECT 1 FROM drive d WHERE d.node = x.node AND d.capture = x.capture)
    GROUP BY e.capture, e.src, e.line, e.name, x.tool, x.t
), effect AS (
    SELECT capture, src, line, name, median(CASE WHEN with_it THEN ms END) AS with_ms, median(CASE WHEN NOT with_it THEN ms END) AS without_ms, sum(with_it) AS n_with, sum(NOT with_it) AS n_without
    FROM waits GROUP BY capture, src, line, name
)
SELECT m.capture, m.node, m.kind, m.name, m.told_by, m.state, m.runs, m.start_s, m.end_s, m.what, m.sure, f.with_ms, f.without_ms, f.n_without,
       CASE WHEN f.n_with >= 10 AND f.n_without >= 10 AND f.with_ms > 0 THEN CASE WHEN f.without_ms < 0.5 * f.with_ms THEN 'fell' WHEN f.without_ms >= 0.7 * f.with_ms AND f.without_ms >= 5 THEN 'stayed' END END AS effect,
       m.src, m.line
FROM met m LEFT JOIN effect f ON f.capture = m.capture AND f.src = m.src AND f.line = m.line AND f.name = m.name
WHERE m.rank = 1;

-- Where a storage or datastore lies: the longest mount point that holds its path. `/` counts only where all mounts are known.
CREATE VIEW store_place AS
WITH place AS (
    SELECT s.capture, s.kind, s.type, s.name, s.path, s.content, s.gc_schedule, s.src, s.line, m.node, m.mountpoint, m.fstype, m.options, m.source, m.src AS mount_src, m.line AS mount_line,
           row_number() OVER (PARTITION BY s.capture, s.kind, s.name ORDER BY length(m.mountpoint) DESC, m.options IS NULL, m.src, m.line) AS rank
    FROM store s JOIN mount m ON m.capture = s.capture AND m.node IS NOT NULL
         AND ((m.mountpoint <> '/' AND (s.path = m.mountpoint OR substr(s.path, 1, length(m.mountpoint) + 1) = m.mountpoint || '/'))
              OR (m.mountpoint = '/' AND EXISTS (SELECT 1 FROM mount q WHERE q.capture = s.capture AND q.options IS NOT NULL)))
    WHERE s.path LIKE '/%' AND coalesce(s.disabled, 0) = 0
)
SELECT p.*, (SELECT min(n.id) FROM reach r JOIN node n ON n.id = r.below AND n.kind = 'pool' WHERE r.capture = p.capture AND r.above = p.node) AS pool,
       (SELECT count(*) FROM reach r JOIN drive d ON d.node = r.below AND d.capture = r.capture WHERE r.capture = p.capture AND r.above = p.node) AS drives
FROM place p WHERE rank = 1;

-- Hosts that keep guests of Proxmox VE: a guest's configuration, or a storage for them. Kernel and pveperf alone may be a backup server's.
CREATE VIEW guest_host AS
SELECT capture, min(src) AS src, first_line(src, line) AS line FROM (
    SELECT capture, src, line FROM guest WHERE capture IS NOT NULL
    UNION ALL SELECT capture, src, line FROM store WHERE kind = 'pve' AND coalesce(disabled, 0) = 0 AND (content LIKE '%images%' OR content LIKE '%rootdir%'))
GROUP BY capture;

-- Hosts of Proxmox VE or Proxmox Backup Server: their kernel, their configuration or their own tools say so.
CREATE VIEW proxmox_host AS
SELECT capture, min(ord) AS ord, max(what) AS what, src, line FROM (
    SELECT s.capture, 1 AS ord, 'its kernel is that of Proxmox (' || s.value || ')' AS what, s.src, s.line FROM setting s WHERE s.key = 'kernel_release' AND s.value LIKE '%-pve' AND coalesce(s.boot, 0) = 0
    UNION ALL SELECT capture, 2, 'it has a configuration of Proxmox storages', src, line FROM store
    UNION ALL SELECT capture, 3, 'pveperf was run on it', src, line FROM benchmark WHERE tool = 'pveperf')
GROUP BY capture;

CREATE INDEX reach_above ON reach (capture, above);
CREATE INDEX source_tool ON source (capture, tool);
CREATE INDEX setting_node ON setting (capture, key, node);
CREATE INDEX setting_line ON setting (src, line);
CREATE INDEX counter_node ON counter (capture, name, node);
CREATE INDEX counter_drive ON counter (node, capture);
CREATE INDEX log_event_node ON log_event (capture, node);
CREATE INDEX log_event_sig ON log_event (capture, event);
CREATE INDEX distribution_node ON distribution (capture, metric, node);
CREATE INDEX distribution_metric ON distribution (node, capture, metric, tool);
CREATE INDEX ref_name ON ref (kind, name);
CREATE INDEX drive_name_node ON drive_name (node);
CREATE INDEX drive_name_name ON drive_name (name, capture);
CREATE INDEX vdev_node ON vdev (capture, node);
CREATE INDEX peer_drive ON peer (capture, drive);
CREATE INDEX place_node ON place (node);
CREATE INDEX place_ata ON place (capture, ata);
CREATE INDEX pci_device_bdf ON pci_device (bdf);

-- ---------------------------------------------------------------- RAID controllers
-- Volumes of RAID controllers, one row each, with the newest state and the newest cache policy. condition is one word for what the
-- tools spell in many. write_now is the policy in force, write_set the one that was configured; 'forced' write-back stays without a battery.
CREATE VIEW hwraid_volume AS
WITH said AS (
    SELECT a.capture, a.node, a.name, a.kind, a.level, a.state, lower(a.state) AS low, a.raid_disks, a.sync_action, a.sync_pct, a.write_policy, a.src, a.line,
           row_number() OVER (PARTITION BY a.capture, a.node ORDER BY a.state IS NULL, a.level IS NULL, a.src DESC, a.line) AS rank
    FROM raid_array a WHERE a.node IS NOT NULL AND a.kind IN ('megaraid', 'smartarray', 'adaptec')
), in_force AS (
    SELECT s.capture, s.node, s.write_policy, s.src, s.line, row_number() OVER (PARTITION BY s.capture, s.node ORDER BY s.src DESC, s.line) AS rank
    FROM said s WHERE s.write_policy IS NOT NULL
), set_to AS (
    SELECT s.capture, s.node, s.value, s.src, s.line, row_number() OVER (PARTITION BY s.capture, s.node ORDER BY s.src DESC, s.line) AS rank
    FROM setting s WHERE s.key = 'write_policy_default' AND coalesce(s.boot, 0) = 0
)
SELECT v.capture, v.node, v.name, v.kind, v.level, v.state, v.raid_disks, v.sync_action, v.sync_pct, v.src, v.line,
       CASE WHEN v.low IN ('optl', 'optimal', 'ok') THEN 'optimal'
            WHEN v.low IN ('pdgd', 'partially degraded') THEN 'partly degraded'
            WHEN v.low IN ('dgrd', 'degraded') OR v.low GLOB 'degraded*' OR v.low GLOB 'interim recovery*' OR v.low GLOB 'ready for re*' THEN 'degraded'
            WHEN v.low GLOB 'recover*' OR v.low GLOB 'rebuild*' OR v.low = 'rec' OR v.low GLOB 'queued for re*' THEN 'rebuilding'
            WHEN v.low GLOB 'impacted*' THEN 'impacted'
            WHEN v.low IN ('ofln', 'offline', 'failed', 'dead', 'off line', 'disabled from media exchange') OR v.low GLOB 'failed*' THEN 'offline' END AS condition,
       CASE p.write_policy WHEN 'AlwaysWriteBack' THEN 'WriteBack' ELSE p.write_policy END AS write_now, p.src AS now_src, p.line AS now_line,
       coalesce(p.write_policy = 'AlwaysWriteBack', 0) OR EXISTS (SELECT 1 FROM setting b WHERE b.capture = v.capture AND b.node = v.node AND b.key = 'write_policy_bad_bbu' AND b.value = 'write back') AS forced,
       t.value AS write_set, t.src AS set_src, t.line AS set_line,
       (SELECT min(e.parent) FROM edge e JOIN node n ON n.id = e.parent AND n.kind = 'controller' WHERE e.capture = v.capture AND e.child = v.node) AS controller,
       -- 1: all members are flash; 0: one is not; NULL: not known
       coalesce((SELECT min(d.media IN ('ssd', 'nvme')) FROM edge e JOIN drive d ON d.node = e.parent AND d.capture = e.capture AND d.media IS NOT NULL WHERE e.capture = v.capture AND e.child = v.node),
                (SELECT min(CASE s.value WHEN '0' THEN 1 ELSE 0 END) FROM edge e JOIN setting s ON s.capture = e.capture AND s.node = e.child AND s.key = 'rotational' WHERE e.capture = v.capture AND e.parent = v.node AND s.value IN ('0', '1'))) AS flash
FROM said v LEFT JOIN in_force p ON p.capture = v.capture AND p.node = v.node AND p.rank = 1 LEFT JOIN set_to t ON t.capture = v.capture AND t.node = v.node AND t.rank = 1
WHERE v.rank = 1;

-- The newest word of a controller's tool under each of its keys; adapter is the PCI function, where that is known.
CREATE VIEW hwraid_word AS
SELECT capture, node, key, value, src, line, top
FROM (SELECT s.capture, s.node, s.key, s.value, s.src, s.line, coalesce((SELECT min(e.parent) FROM edge e JOIN node p ON p.id = e.parent AND p.kind = 'controller' WHERE e.capture = s.capture AND e.child = s.node), s.node) AS top,
             row_number() OVER (PARTITION BY s.capture, s.node, s.key ORDER BY s.src DESC, s.line DESC) AS rank
      FROM setting s JOIN node n ON n.id = s.node AND n.kind = 'controller'
      WHERE s.key GLOB 'raid_*' AND coalesce(s.boot, 0) = 0)
WHERE rank = 1;

-- Drives that the tool of a RAID controller lists, with what it counts of them. who: bay, model and serial number in words.
CREATE VIEW hwraid_member AS
WITH listed AS (
    SELECT s.capture, s.node, min(s.value) AS slot FROM setting s WHERE s.key = 'raid_slot' GROUP BY s.capture, s.node
), state AS (
    SELECT s.capture, s.node, s.value, s.src, s.line, row_number() OVER (PARTITION BY s.capture, s.node ORDER BY s.src DESC, s.line) AS rank
    FROM setting s WHERE s.key = 'raid_pd_state' AND coalesce(s.boot, 0) = 0
), counted AS (
    SELECT c.capture, c.node, c.name, c.value, c.src, c.line, row_number() OVER (PARTITION BY c.capture, c.node, c.name ORDER BY c.src DESC, c.line) AS rank
    FROM counter c WHERE c.kind = 'raid'
), alert AS (
    SELECT s.capture, s.node, s.value, s.src, s.line, row_number() OVER (PARTITION BY s.capture, s.node ORDER BY s.src DESC, s.line) AS rank
    FROM setting s WHERE s.key = 'raid_pd_alert' AND coalesce(s.boot, 0) = 0
)
SELECT l.capture, l.node, l.slot, 'bay ' || l.slot || coalesce(' (' || nullif(trim(coalesce(d.model, '') || coalesce(', serial ' || d.serial, ''), ', '), '') || ')', '') AS who,
       t.value AS state, t.src AS state_src, t.line AS state_line, a.value AS alert, a.src AS alert_src, a.line AS alert_line,
       m.value AS media_errors, m.src AS media_src, m.line AS media_line, o.value AS other_errors,
       p.value AS predictive, p.src AS predictive_src, p.line AS predictive_line,
       (SELECT min(e.child) FROM edge e JOIN raid_array r ON r.node = e.child AND r.capture = e.capture WHERE e.capture = l.capture AND e.parent = l.node) AS volume,
       (SELECT min(e.parent) FROM edge e JOIN node n ON n.id = e.parent AND n.kind = 'controller' WHERE e.capture = l.capture AND e.child = l.node) AS controller
FROM listed l LEFT JOIN drive d ON d.node = l.node AND d.capture = l.capture
     LEFT JOIN state t ON t.capture = l.capture AND t.node = l.node AND t.rank = 1
     LEFT JOIN alert a ON a.capture = l.capture AND a.node = l.node AND a.rank = 1
     LEFT JOIN counted m ON m.capture = l.capture AND m.node = l.node AND m.name = 'raid_media_errors' AND m.rank = 1
     LEFT JOIN counted o ON o.capture = l.capture AND o.node = l.node AND o.name = 'raid_other_errors' AND o.rank = 1
     LEFT JOIN counted p ON p.capture = l.capture AND p.node = l.node AND p.name = 'raid_predictive_failures' AND p.rank = 1;

-- Volumes as the system sees them, of which no tool of the controller told anything: where the pages on controllers cannot judge.
CREATE VIEW hwraid_unseen AS
SELECT d.capture, d.node FROM drive d
WHERE d.behind_raid IS NOT NULL AND d.is_virtual = 1
  AND NOT EXISTS (SELECT 1 FROM edge e JOIN raid_array a ON a.node = e.parent AND a.capture = e.capture WHERE e.capture = d.capture AND e.child = d.node);

-- What a RAID controller's own event log, as its driver relays it in this boot, says last of each matter, beside the volumes behind it that no
-- tool described: cache (the write cache was switched), volume (a state, of the SCSI target it names), member (a drive that will fail).
CREATE VIEW hwraid_logged AS
WITH said AS (
    SELECT e.capture, e.adapter, json_extract(e.fields, '$.text') AS text, e.t, e.src, e.line FROM adapter_event e
    WHERE e.event = 'raid-controller-event' AND e.adapter IS NOT NULL AND json_valid(e.fields)
), matter AS (
    SELECT s.*, CASE WHEN s.text LIKE '%changing W_ virtual disks to W_%' THEN 'cache' WHEN s.text GLOB 'VD */* is now *' THEN 'volume' WHEN s.text GLOB 'Predictive failure: PD *' THEN 'member' END AS matter,
           CASE WHEN s.text GLOB 'VD */* is now *' THEN CAST(substr(s.text, instr(s.text, '/') + 1) AS INTEGER) END AS target
    FROM said s
), last AS (
    SELECT m.*, row_number() OVER (PARTITION BY m.capture, m.adapter, m.matter, m.target, CASE m.matter WHEN 'member' THEN m.text END ORDER BY m.src DESC, m.line DESC) AS rank
    FROM matter m WHERE m.matter IS NOT NULL
)
SELECT l.capture, u.node, l.adapter, l.matter, l.text, CASE l.matter WHEN 'volume' THEN substr(l.text, instr(l.text, ' is now ') + 8) WHEN 'member' THEN substr(l.text, 21) END AS what, l.src, l.line
FROM last l JOIN place p ON p.capture = l.capture AND p.controller = l.adapter AND coalesce(p.boot, 0) = 0 JOIN hwraid_unseen u ON u.capture = l.capture AND u.node = p.node
WHERE l.rank = 1 AND (l.target IS NULL OR p.hctl LIKE '%:2:' || l.target || ':0');
