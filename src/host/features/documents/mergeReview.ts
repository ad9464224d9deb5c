import * as vscode from 'vscode';
import { compactJson, findJsonChanges, presentJson } from '../../../core/documents/jsonText';
import {
  advanceBase,
  mergeJson,
  type MergeResult,
  type MergeSide,
  type Overlap,
} from '../../../core/documents/jsonMerge';
import type { Snapshot } from '../../../core/documents/configSource';
import type { DocumentFile } from '../../../core/documents/documentFile';
import type { CommandId } from '../../../manifest/commands';
import { closeComparison, findDiffTabs, hideToasts, type OpenDocument } from './conflictResolver';
import { getFileName, revisionUri } from '../../platform/documents/documentUris';
import { replaceText } from '../../platform/documents/replaceText';
import type { MergePreviews, RevisionContent } from './revisionContent';
import { confirm } from '../../platform/prompts/prompts';
import { formatPath } from './saveMessages';

/** Finds an open document by its URI. */
export type FindDocument = (uri: vscode.Uri) => Promise<OpenDocument | undefined>;

/** Merges edits with remote changes, and shows the result before anything is saved. */
export class MergeReview {
  private readonly accepting = new Set<string>();

  constructor(
    private readonly content: RevisionContent,
    private readonly previews: MergePreviews,
    private readonly findDocument: FindDocument,
  ) {}

  /** Shows the merge for review. Closes any review of an earlier merge of the document. */
  async merge({ document, file }: OpenDocument): Promise<void> {
    const remote = await file.readNow();
    // Edits made while the prompt is open will be part of the next merge.
    const edited = document.getText();
    const outdated = this.previews.of(document.uri);
    const merged = await this.mergeWith(document, file, remote);
    if (merged === undefined) return;
    const preview = this.previews.add({
      document: document.uri,
      remote,
      text: merged,
      edited,
    });
    await hideToasts();
    const left = revisionUri(document.uri, 'current');
    this.content.refresh(left);
    const title = vscode.l10n.t('{0}: Remote ↔ Merged (Not Saved)', getFileName(document.uri));
    await vscode.commands.executeCommand('vscode.diff', left, preview, title, { preview: false });
    for (const uri of outdated) await this.close(uri);
    void this.offer(preview, remote.text, merged);
  }

  /**
   * Applies the merge to the document and saves it. The review stays open until the save succeeds.
   */
  async accept(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    // Pressing the save keys twice must not accept the merge twice.
    if (this.accepting.has(key)) return;
    this.accepting.add(key);
    try {
      await this.apply(uri);
    } finally {
      this.accepting.delete(key);
    }
  }

  /** Closes the review after the user confirms. The document keeps its unsaved edits. */
  async discard(uri: vscode.Uri): Promise<void> {
    const preview = this.previews.get(uri);
    if (!preview) return;
    await confirm(
      vscode.l10n.t('Discard the merge of "{0}"?', getFileName(preview.document)),
      vscode.l10n.t('Your edits stay in the editor, unsaved and unmerged.'),
      vscode.l10n.t('Discard Merge'),
    );
    await this.close(uri);
  }

  /**
   * Closes the reviews for a document that has no unsaved edits, because there is nothing left to
   * merge.
   */
  async closeResolved(document: vscode.TextDocument): Promise<void> {
    if (document.isDirty) return;
    for (const uri of this.previews.of(document.uri)) await this.close(uri);
  }

  private async apply(uri: vscode.Uri): Promise<void> {
    const preview = this.previews.get(uri);
    const open = preview && (await this.findDocument(preview.document));
    if (!open) return;
    const { document, file } = open;
    await hideToasts();
    // Compare the text instead of the version number, which restarts when the document is closed
    // and reopened.
    if (document.getText() !== preview.edited) {
      // The document was edited during the review, so it must be merged again.
      await this.merge(open);
      return;
    }
    await replaceText(document, preview.text);
    // If the save fails, the user can accept the merge again to repeat the save.
    const merged = document.getText();
    this.previews.update(uri, { ...preview, edited: merged });
    file.noteMerge({ remote: presentJson(preview.remote.text), merged });
    file.approve(preview.text, preview.remote);
    if (!(await document.save())) return;
    await vscode.window.showTextDocument(document, { preview: false });
    await this.close(uri);
    await closeComparison(document);
  }

  private async close(uri: vscode.Uri): Promise<void> {
    this.previews.delete(uri);
    await closeTabs(uri);
  }

  private async mergeWith(
    document: vscode.TextDocument,
    { base, merges }: Pick<DocumentFile, 'base' | 'merges'>,
    remote: Snapshot,
  ): Promise<string | undefined> {
    if (!base) {
      const message = vscode.l10n.t(
        "Can't merge because the base version of these edits is unknown. Use Compare instead.",
      );
      void vscode.window.showWarningMessage(message);
      return undefined;
    }
    const mine = document.getText();
    const input = {
      base: advanceBase(presentJson(base.text), merges, mine),
      mine,
      theirs: presentJson(remote.text),
    };
    const first = mergeJson(input);
    if (!first) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'Only valid JSON can be merged. Fix the errors in the Problems view, then merge again.',
        ),
      );
      return undefined;
    }
    if (first.overlaps.length === 0) return first.text;
    const sides = await promptForSides(getFileName(document.uri), first.overlaps);
    return sides && resolveOverlaps(input, first, sides);
  }

  /**
   * Offers to accept the merge. Counts changes in the JSON structure, so moved lines aren't
   * counted.
   */
  private async offer(preview: vscode.Uri, remote: string, merged: string): Promise<void> {
    const yours = findJsonChanges(remote, merged)?.length ?? 0;
    const accept = vscode.l10n.t('Accept and Save');
    const discard = vscode.l10n.t('Discard Merge');
    const message =
      yours === 1
        ? vscode.l10n.t('Merged the remote changes with your change. Review the result, then save.')
        : vscode.l10n.t(
            'Merged the remote changes with your {0} changes. Review the result, then save.',
            yours,
          );
    const answer = await vscode.window.showInformationMessage(message, accept, discard);
    // Run the actions as commands, so that their errors are shown.
    if (answer === accept) await runCommand('fleetwright.document.acceptMerge', preview);
    if (answer === discard) await runCommand('fleetwright.document.discardMerge', preview);
  }
}

function resolveOverlaps(
  input: Parameters<typeof mergeJson>[0],
  { overlaps }: MergeResult,
  sides: readonly MergeSide[],
): string | undefined {
  const chosen = new Map(overlaps.map(({ path }, index) => [path.join('\0'), sides[index]]));
  return mergeJson(input, ({ path }) => chosen.get(path.join('\0')) ?? 'mine')?.text;
}

function runCommand(command: CommandId, preview: vscode.Uri): Thenable<unknown> {
  return vscode.commands.executeCommand(command, preview);
}

async function closeTabs(uri: vscode.Uri): Promise<void> {
  const tabs = findDiffTabs(({ modified }) => modified.toString() === uri.toString());
  await vscode.window.tabGroups.close(tabs);
}

const MAX_VALUE_LENGTH = 80;

interface Choice extends vscode.QuickPickItem {
  readonly side: MergeSide;
  readonly forAll: boolean;
}

/**
 * For each value that both sides changed, prompts for the side to keep.
 * @returns the sides in the order of `overlaps`; undefined if the user canceled
 */
async function promptForSides(
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
