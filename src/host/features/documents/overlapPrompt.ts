import * as vscode from 'vscode';
import type { MergeSide, Overlap } from '../../../core/documents/jsonMerge';
import { compactJson } from '../../../core/documents/jsonText';
import { formatPath } from './formatPath';

const MAX_VALUE_LENGTH = 80;

interface Choice extends vscode.QuickPickItem {
  readonly side: MergeSide;
  readonly forAll: boolean;
}

/**
 * For each value that both sides changed, prompts for the side to keep.
 * @returns the sides in the order of `overlaps`; undefined if the user canceled
 */
export async function promptForSides(
  fileName: string,
  overlaps: readonly Overlap[],
): Promise<readonly MergeSide[] | undefined> {
  const sides: MergeSide[] = [];
  for (const [index, overlap] of overlaps.entries()) {
    const chosen = await vscode.window.showQuickPick(choices(overlap, overlaps.length - index), {
      title: vscode.l10n.t('Merge {0}: {1} of {2}', fileName, index + 1, overlaps.length),
      placeHolder: describeOverlap(overlap),
      ignoreFocusOut: true,
    });
    if (!chosen) return undefined;
    sides.push(chosen.side);
    if (chosen.forAll) return overlaps.map((_, at) => sides[at] ?? chosen.side);
  }
  return sides;
}

function describeOverlap({ path }: Overlap): string {
  return path.length === 0
    ? vscode.l10n.t('Both versions changed the whole document. Select the one to keep.')
    : vscode.l10n.t('Both versions changed "{0}". Select the value to keep.', formatPath(path));
}

function choices({ mine, theirs }: Overlap, remaining: number): Choice[] {
  const one: Choice[] = [
    {
      label: vscode.l10n.t('Keep Mine'),
      detail: formatValue(mine),
      side: 'mine',
      forAll: false,
    },
    {
      label: vscode.l10n.t('Use Remote'),
      detail: formatValue(theirs),
      side: 'theirs',
      forAll: false,
    },
  ];
  if (remaining < 2) return one;
  return [
    ...one,
    {
      label: vscode.l10n.t('Keep Mine for All {0} Remaining Conflicts', remaining),
      side: 'mine',
      forAll: true,
    },
    {
      label: vscode.l10n.t('Use Remote for All {0} Remaining Conflicts', remaining),
      side: 'theirs',
      forAll: true,
    },
  ];
}

function formatValue(value: string | undefined): string {
  if (value === undefined) return vscode.l10n.t('Deleted');
  const compact = compactJson(value);
  return compact.length <= MAX_VALUE_LENGTH
    ? compact
    : `${compact.slice(0, MAX_VALUE_LENGTH - 1)}…`;
}
