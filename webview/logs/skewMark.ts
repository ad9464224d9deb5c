import type { LogStrings } from '../../src/shared/logStrings';
import { element } from '../ui/elements';
import { fillPlaceholders } from '../ui/fillPlaceholders';
import type { LogTimes } from './logTimes';

/** Draws the mark of a line whose clock is skewed, with a tooltip that says what that can mean. */
export function drawSkewMark(
  skew: number,
  receivedAt: number,
  { strings, times }: { readonly strings: LogStrings['clock']; readonly times: LogTimes },
): HTMLElement {
  const [label, hint] =
    skew > 0 ? [strings.ahead, strings.aheadHint] : [strings.behind, strings.behindHint];
  const title = fillPlaceholders(hint, times.full(receivedAt));
  const icon = element('span', { 'aria-hidden': 'true' }, '⚠ ');
  return element(
    'span',
    { class: 'skew', title },
    icon,
    element('span', { class: 'skew-text' }, fillPlaceholders(label, times.span(Math.abs(skew)))),
  );
}
