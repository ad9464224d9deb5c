import * as vscode from 'vscode';
import type { MergeSide, Overlap } from '../../../core/documents/jsonMerge';
import { compactJson } from '../../../core/documents/jsonText';

const SHOWN_VALUE_LENGTH = 80;

interface Choice extends vscode.QuickPickItem {
  readonly side: MergeSide;
  readonly forAll: boolean;
}

/**
 * Prompts, one after the other, for the side to keep where both changed the same value.
 * @returns the sides in the order of `overlaps`, undefined when the user canceled
 */
export async function askForSides(
  fileName: string,
  overlaps: readonly Overlap[],
): Promise<readonly MergeSide[] | undefined> {
  const sides: MergeSide[] = [];
  for (const [index, overlap] of overlaps.entries()) {
    const chosen = await vscode.window.showQuickPick(choices(overlap, overlaps.length - index), {
      title: vscode.l10n.t('Merge {0}: {1} of {2}', fileName, index + 1, overlaps.length),
      placeHolder: vscode.l10n.t('Both sides changed {0}', pathText(overlap.path)),
      ignoreFocusOut: true,
    });
    if (!chosen) return undefined;
    sides.push(chosen.side);
    if (chosen.forAll) return overlaps.map((_, at) => sides[at] ?? chosen.side);
  }
  return sides;
}

/** A path in a config, such as `components › left-motor › rpm`. */
export function pathText(path: readonly string[]): string {
  return path.length === 0 ? vscode.l10n.t('the whole document') : path.join(' › ');
}

function choices({ mine, theirs }: Overlap, remaining: number): Choice[] {
  const one: Choice[] = [
    {
      label: vscode.l10n.t('Keep Mine'),
      detail: valueText(mine),
      side: 'mine',
      forAll: false,
    },
    {
      label: vscode.l10n.t('Use Remote'),
      detail: valueText(theirs),
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

function valueText(value: string | undefined): string {
  if (value === undefined) return vscode.l10n.t('removed');
  const compact = compactJson(value);
  return compact.length <= SHOWN_VALUE_LENGTH
    ? compact
    : `${compact.slice(0, SHOWN_VALUE_LENGTH - 1)}…`;
}
