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
--     'firmware' (DMI, controller tools). Two facts are independent evidence when their views differ.
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
    name TEXT, start_s REAL, end_s REAL, rc INTEGER, status TEXT, command TEXT, src INTEGER, line INTEGER
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
    class_mb_s    REAL,             -- sequential ceiling, payload, MB/s (10^6)
    class_iops    REAL,             -- random 4 KiB ceiling, deep queue
    class_wait_ms REAL,             -- wait at light load
    slow_wait_ms  REAL,             -- threshold of write-latency and read-latency: 5 NVMe, 10 SSD, 40 HDD
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
    mode TEXT,                      -- ide ahci raid nvme sas; derived in facts_resolve from class, prog-if and driver
    mode_by TEXT,                   -- what `mode` was told by: driver, class. The log's word is setting sata_mode_seen
    emulated INTEGER,               -- 1: made by a hypervisor, so its mode is no firmware setting
    upstream_bdf TEXT,
    lnkcap_gtps REAL, lnkcap_width INTEGER, lnksta_gtps REAL, lnksta_width INTEGER,
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
    kind          TEXT,             -- ata nvme scsi phy sysfs devstat
    value         REAL,             -- the figure (raw value of an ATA attribute as a number)
    raw           TEXT,             -- raw value as printed
    normalized    INTEGER, worst INTEGER, threshold INTEGER,
    when_failed   TEXT,             -- now past; NULL never
    unit          TEXT, src INTEGER, line INTEGER
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
CREATE TABLE log_window (           -- what a log covers: absence of a line is worth this window and no more
    capture INTEGER, boot INTEGER,
    first_mono_s REAL, last_mono_s REAL, first_s REAL, last_s REAL,
    start_present INTEGER,          -- 1: the first line is from the start of the boot
    user_space_mono_s REAL,         -- when init started, if seen
    suppressed    INTEGER,          -- lines the kernel says it dropped
    lines         INTEGER, src INTEGER, line INTEGER
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
CREATE TABLE raid_array (           -- md arrays and hardware RAID volumes
    node INTEGER, capture INTEGER, name TEXT, kind TEXT, level TEXT, state TEXT,
    raid_disks INTEGER, active_disks INTEGER, failed_disks INTEGER, spare_disks INTEGER,
    sync_action TEXT, sync_pct REAL, write_policy TEXT, src INTEGER, line INTEGER
);
CREATE TABLE mount (
    node INTEGER, capture INTEGER, source TEXT, mountpoint TEXT, fstype TEXT, options TEXT,
    size_bytes REAL, used_pct REAL, src INTEGER, line INTEGER
);
CREATE TABLE benchmark (            -- a measurement somebody made on purpose: dd, hdparm -t, fio
    node INTEGER, capture INTEGER, tool TEXT, label TEXT,
    rw TEXT, block_bytes INTEGER,   -- read write randread randwrite
    direct INTEGER, sync TEXT,      -- none dsync fsync fdatasync
    data TEXT,                      -- zero random file unknown: where the bytes came from
    target TEXT, bytes REAL, seconds REAL, mb_s REAL, iops REAL, lat_p99_ms REAL,
    measures TEXT,                  -- in words, what this run really measured
    src INTEGER, line INTEGER
);
CREATE TABLE process_io (           -- who reads and writes: pidstat, iotop; of a long capture the rows with the most bytes
    capture       INTEGER, t_s REAL,
    pid           INTEGER,          -- of the thread where the tool lists threads
    command       TEXT, read_bytes_s REAL, write_bytes_s REAL,
    io_wait_pct   REAL,             -- share of its time that it waited for I/O
    tool TEXT, src INTEGER, line INTEGER
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
    n INTEGER, mean REAL, p50 REAL, p95 REAL, p99 REAL, max REAL, -- a quantile is NULL where n(1-q) < 5
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
CREATE TABLE model_fact (           -- what rules/models knows of a drive, controller, bridge or platform
    node INTEGER, capture INTEGER, fact TEXT, value TEXT, model_id TEXT, certainty REAL, source TEXT
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

CREATE INDEX source_tool ON source (capture, tool);
CREATE INDEX setting_node ON setting (capture, key, node);
CREATE INDEX setting_line ON setting (src, line);
CREATE INDEX counter_node ON counter (capture, name, node);
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
