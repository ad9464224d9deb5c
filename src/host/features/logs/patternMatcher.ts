import { type MatchPattern, PatternTooSlow } from '../../../core/logs/lineFilter';
import type { RunWithin } from './runWithin';

/** Returns a matcher with a total time limit for all texts. */
export function patternMatcher(runWithin: RunWithin): MatchPattern {
  return (pattern, texts) => {
    if (texts.length === 0) return [];
    const done = runWithin(() => texts.map((text) => pattern.test(text)));
    if (!done) throw new PatternTooSlow(`${String(pattern)} takes too long.`);
    return done.result;
  };
}
