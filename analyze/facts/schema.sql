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

-- The captures of an upload, the oldest first. Where one of them has no time they stand as they were opened.
CREATE VIEW capture_in_order AS
SELECT c.*, row_number() OVER (PARTITION BY c.bundle ORDER BY CASE WHEN u.bundle IS NULL THEN coalesce(c.end_s, c.start_s) END, c.id) AS place
FROM capture c LEFT JOIN (SELECT DISTINCT bundle FROM capture WHERE coalesce(end_s, start_s) IS NULL) u ON u.bundle = c.bundle;

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

-- ---------------------------------------------------------------- drives that changed places
-- What the verdicts about exchanged ports rest on: rows of each pair of captures (`before`, `after`). Five pages read these views
-- and none of the figures behind them, so that they cannot disagree.

-- Places that outlive a boot and are one drive's: a place printed for two (behind an expander or multiplier that was not seen) is none.
CREATE VIEW exact_place AS
SELECT p.capture, p.node, p.label, p.bdf, p.mode, p.port IS NULL AS no_port, p.slot IS NULL AS no_slot, p.src, p.line
FROM place p
WHERE coalesce(p.boot, 0) = 0 AND p.bdf IS NOT NULL
  AND (p.port IS NOT NULL OR p.slot IS NOT NULL OR p.channel IS NOT NULL OR p.phy IS NOT NULL OR p.mode = 'nvme')
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
       e.node AS heir, ea.name AS heir_name, eb.name AS heir_was, ea.model AS heir_model, coalesce(ea.model || ' (' || ea.name || ')', ea.name) AS heir_who, f.node AS former
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
       printf(CASE WHEN l.ms >= 100 THEN '%.0f ms' ELSE '%.3g ms' END, l.ms)
           || CASE WHEN l.class_only THEN '' ELSE printf(CASE WHEN l.ratio >= 100 THEN ', %.0f times its peers' ELSE ', %.3g times its peers' END, l.ratio)
           || printf(CASE WHEN l.peers_ms >= 10 THEN ' (%.0f ms)' ELSE ' (%.2g ms)' END, l.peers_ms) END AS words,
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
