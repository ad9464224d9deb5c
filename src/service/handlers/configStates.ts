import type { HandlerContext } from '@connectrpc/connect';
import {
  APPLIED_REVISION_HEADER,
  CONFIG_STATE_HEADER,
  type ConfigState,
  formatConfigStates,
  isHeaderRevision,
  MAX_REVISION_LENGTH,
} from '../../core/model/contractExtensions';
import { invalid } from '../errors';
import { type ConfigReport, listConfigReports, recordApplied } from '../store/configReports';
import { dateFromMicros, type Micros, MICROS_PER_MILLI } from '../store/micros';
import type { PartInLocation } from '../store/parts';
import type { StoreAccess } from '../store/store';

/**
 * Records the config revision that a machine reports in a request header. Machines that don't
 * support the header report none.
 */
export async function recordAppliedRevision(
  access: StoreAccess,
  partId: string,
  { requestHeader }: HandlerContext,
  at: Micros,
): Promise<void> {
  const revision = requestHeader.get(APPLIED_REVISION_HEADER);
  if (revision === null || revision === '') return;
  if (!isHeaderRevision(revision)) {
    throw invalid(
      `${APPLIED_REVISION_HEADER}: must be the revision of a fetched config, of up to ${String(MAX_REVISION_LENGTH)} characters`,
    );
  }
  await recordApplied(access, partId, revision, at);
}

/** Reports the config states of parts in a response header. */
export async function describeConfigStates(
  access: StoreAccess,
  rows: readonly PartInLocation[],
  { responseHeader }: HandlerContext,
): Promise<void> {
  const reports = await listConfigReports(
    access,
    rows.map(({ id }) => id),
  );
  const states = rows.map((row) => [row.id, toConfigState(row, reports.get(row.id))] as const);
  responseHeader.set(CONFIG_STATE_HEADER, formatConfigStates(new Map(states)));
}

function toConfigState(row: PartInLocation, report: ConfigReport | undefined): ConfigState {
  const saved = String(row.last_updated);
  if (report === undefined) return { saved, fetched: undefined, applied: undefined };
  const { applied_revision: applied, applied_at: appliedAt, fetch_interval: interval } = report;
  return {
    saved,
    fetched: {
      revision: report.fetched_revision,
      at: dateFromMicros(report.fetched_at),
      isCurrent: report.isCurrent,
      intervalMs: interval === null ? undefined : Math.round(interval / MICROS_PER_MILLI),
    },
    applied:
      applied === null || appliedAt === null
        ? undefined
        : { revision: applied, at: dateFromMicros(appliedAt) },
  };
}
