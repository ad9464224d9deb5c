import type { FeedPart } from '../../../core/logs/logFeed';
import { displayText } from '../../../core/model/displayText';
import type { PartId } from '../../../core/model/ids';
import type { LogPart } from '../../../shared/logs';
import { wayOutOf } from '../../../shared/wayOut';

const LONGEST_REASON = 500;

/** Labels of part states without problems. */
export type StateWords = Readonly<Record<'connecting' | 'live' | 'silent', string>>;

/** Returns the states of a panel's parts: plain values that can be sent to a webview. */
export function partStates(
  parts: readonly FeedPart[],
  labels: ReadonlyMap<PartId, string>,
  words: StateWords,
  isSilent: boolean,
): readonly LogPart[] {
  return parts.map(({ id, state }) => ({
    key: id,
    label: labels.get(id) ?? id,
    state: isSilent && !('error' in state) ? 'silent' : state.kind,
    detail:
      'error' in state
        ? displayText(state.error.message, LONGEST_REASON)
        : words[isSilent ? 'silent' : state.kind],
    ...('error' in state && { way: wayOutOf(state.error.action) }),
    ...(state.kind === 'retrying' && { retryAt: state.retryAt.getTime() }),
  }));
}
