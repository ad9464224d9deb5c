import type { FeedPart } from '../../../core/logs/logFeed';
import { toDisplayText } from '../../../core/model/toDisplayText';
import type { PartId } from '../../../core/model/ids';
import type { LogPart } from '../../../shared/logs';
import { toRecoveryAction } from '../../../shared/recoveryAction';

const MAX_REASON_LENGTH = 500;

/** Labels for part states that are not errors. */
export type StateLabels = Readonly<Record<'connecting' | 'live' | 'silent', string>>;

/** Returns the states of a panel's parts as plain values that can be sent to a webview. */
export function partStates(
  parts: readonly FeedPart[],
  labels: ReadonlyMap<PartId, string>,
  stateLabels: StateLabels,
  isSilent: boolean,
): readonly LogPart[] {
  return parts.map(({ id, state }) => ({
    key: id,
    label: labels.get(id) ?? id,
    state: isSilent && !('error' in state) ? 'silent' : state.kind,
    detail:
      'error' in state
        ? toDisplayText(state.error.message, MAX_REASON_LENGTH)
        : stateLabels[isSilent ? 'silent' : state.kind],
    ...('error' in state && { way: toRecoveryAction(state.error.action) }),
    ...(state.kind === 'retrying' && { retryAt: state.retryAt.getTime() }),
  }));
}
