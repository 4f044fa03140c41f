#include "zfs_counter.h"

/* unit: NULL counts events. */
static const struct {
    const char *table, *name, *unit;
} figures[] = {
    {"arcstats", "hits", NULL},
    {"arcstats", "iohits", NULL},
    {"arcstats", "misses", NULL},
    {"arcstats", "demand_data_hits", NULL},
    {"arcstats", "demand_data_misses", NULL},
    {"arcstats", "demand_metadata_hits", NULL},
    {"arcstats", "demand_metadata_misses", NULL},
    {"arcstats", "prefetch_data_hits", NULL},
    {"arcstats", "prefetch_data_misses", NULL},
    {"arcstats", "size", "bytes"},
    {"arcstats", "c", "bytes"},
    {"arcstats", "c_min", "bytes"},
    {"arcstats", "c_max", "bytes"},
    {"arcstats", "arc_meta_used", "bytes"},
    {"arcstats", "arc_meta_limit", "bytes"},
    {"arcstats", "arc_no_grow", NULL},
    {"arcstats", "arc_need_free", "bytes"},
    {"arcstats", "arc_sys_free", "bytes"},
    {"arcstats", "memory_throttle_count", NULL},
    {"arcstats", "memory_direct_count", NULL},
    {"arcstats", "memory_indirect_count", NULL},
    {"arcstats", "memory_available_bytes", "bytes"},
    {"arcstats", "l2_hits", NULL},
    {"arcstats", "l2_misses", NULL},
    {"arcstats", "l2_size", "bytes"},
    {"arcstats", "l2_asize", "bytes"},
    {"arcstats", "l2_hdr_size", "bytes"},
    {"arcstats", "l2_read_bytes", "bytes"},
    {"arcstats", "l2_write_bytes", "bytes"},
    {"arcstats", "l2_writes_error", NULL},
    {"arcstats", "l2_io_error", NULL},
    {"arcstats", "l2_cksum_bad", NULL},
    {"zil", "zil_commit_count", NULL},
    {"zil", "zil_commit_writer_count", NULL},
    {"zil", "zil_commit_error_count", NULL},
    {"zil", "zil_commit_stall_count", NULL},
    {"zil", "zil_commit_suspend_count", NULL},
    {"zil", "zil_itx_count", NULL},
    {"zil", "zil_itx_metaslab_normal_count", NULL},
    {"zil", "zil_itx_metaslab_normal_bytes", "bytes"},
    {"zil", "zil_itx_metaslab_slog_count", NULL},
    {"zil", "zil_itx_metaslab_slog_bytes", "bytes"},
    {"dmu_tx", "dmu_tx_assigned", NULL},
    {"dmu_tx", "dmu_tx_delay", NULL},
    {"dmu_tx", "dmu_tx_error", NULL},
    {"dmu_tx", "dmu_tx_suspended", NULL},
    {"dmu_tx", "dmu_tx_memory_reserve", NULL},
    {"dmu_tx", "dmu_tx_memory_reclaim", NULL},
    {"dmu_tx", "dmu_tx_dirty_throttle", NULL},
    {"dmu_tx", "dmu_tx_dirty_delay", NULL},
    {"dmu_tx", "dmu_tx_dirty_over_max", NULL},
    {"dmu_tx", "dmu_tx_wrlog_delay", NULL},
    {"dmu_tx", "dmu_tx_wrlog_over_max", NULL},
    {"objset", "writes", NULL},
    {"objset", "nwritten", "bytes"},
    {"objset", "reads", NULL},
    {"objset", "nread", "bytes"},
    {"objset", "zil_commit_count", NULL},
    {"objset", "zil_itx_metaslab_normal_bytes", "bytes"},
    {"objset", "zil_itx_metaslab_slog_bytes", "bytes"},
};

bool zfs_counter(ParseCtx *ctx, Ref node, Str table, Str name, Str value, double t_mono_s, Spot at) {
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        double v;
        if (!str_is(table, figures[i].table) || !str_is(name, figures[i].name)) continue;
        if (!str_double(value, &v)) return false;
        bool bare = str_is(table, "zil") || str_is(table, "dmu_tx");
        Row r = ctx_row(ctx, "counter", at);
        row_ref(&r, "node", node);
        row_text(&r, "name", bare ? name : arena_strf(ctx->scratch, "%.*s.%.*s", STR_ARG(table), STR_ARG(name)));
        row_text(&r, "kind", STR("zfs"));
        row_real(&r, "value", v);
        row_text(&r, "raw", value);
        if (figures[i].unit) row_text(&r, "unit", str_of(figures[i].unit));
        row_real(&r, "t_mono_s", t_mono_s);
        row_done(&r);
        return true;
    }
    return false;
}
