import { atOnce } from '../../src/base/slices';
import {
  parseConfigText,
  type ResolvedText,
  resolveValueInSteps,
} from '../../src/core/documents/resolvedText';
import type { FragmentLookup } from '../../src/core/fragments/resolveConfig';

/** Resolves a config from its text; returns undefined if the text isn't JSON. */
export function resolveText(text: string, lookup: FragmentLookup): ResolvedText | undefined {
  const config = parseConfigText(text);
  return config === undefined ? undefined : atOnce(resolveValueInSteps(config, lookup));
}
