#include "cam_target.h"

Ref cam_target_ref(ParseCtx *ctx, Str sim, Str target) {
    uint64_t number;
    if (!str_u64(target, &number) || number > 65535 || !sim.len || sim.len > 15) return 0;
    return ctx_ref(ctx, REF_SCSI, arena_strf(ctx->scratch, "%.*s:%llu", STR_ARG(sim), (unsigned long long)number));
}

void fbsd_sas_target(ParseCtx *ctx, Ref disk, Str sim, Str target, Str lun, Spot at) {
    Ref ref = cam_target_ref(ctx, sim, target);
    uint64_t number;
    if (!ref || !str_u64(lun, &number)) return;
    ctx_setting(ctx, disk, "hctl",
                arena_strf(ctx->scratch, "%.*s:0:%.*s:%.*s", STR_ARG(sim), STR_ARG(target), STR_ARG(lun)), "kernel",
                at);
    if (number == 0) facts_same(ctx->facts, ctx->src, disk, ref, "CAM target", at);
}
