import * as vscode from 'vscode';
import { findJsonChanges } from '../../../core/documents/jsonChanges';
import { type MergeResult, mergeJson, type MergeSide } from '../../../core/documents/jsonMerge';
import { presentJson } from '../../../core/documents/jsonText';
import type { Snapshot } from '../../../core/documents/configSource';
import { closeComparison, findDiffTabs, hideToasts } from './comparisons';
import type { OpenDocument } from './conflictResolver';
import { fileNameOf, revisionUri } from '../../platform/documentUris';
import { replaceText } from '../../platform/replaceText';
import type { MergePreviews } from './mergePreviews';
import { askForSides } from './overlapPrompt';
import type { RevisionContent } from './revisionContent';

/** Finds an open document again. */
export type FindDocument = (uri: vscode.Uri) => Promise<OpenDocument | undefined>;

/** Merges edits with what was changed elsewhere, and shows the result before anything is saved. */
export class MergeReview {
  constructor(
    private readonly content: RevisionContent,
    private readonly previews: MergePreviews,
    private readonly findDocument: FindDocument,
  ) {}

  async merge({ document, file }: OpenDocument): Promise<void> {
    const theirs = await file.readNow();
    const merged = await this.mergeWith(document, file.base, theirs);
    if (merged === undefined) return;
    const preview = this.previews.add({
      document: document.uri,
      theirs,
      text: merged,
      documentVersion: document.version,
    });
    await hideToasts();
    const left = revisionUri(document.uri, 'current');
    this.content.refresh(left);
    const title = vscode.l10n.t('{0}: fleet ↔ merged (not saved)', fileNameOf(document.uri));
    await vscode.commands.executeCommand('vscode.diff', left, preview, title, { preview: false });
    void this.offer(preview, theirs.text, merged);
  }

  /** Puts the merge into the document and saves it. */
  async accept(uri: vscode.Uri): Promise<void> {
    // At once: pressed twice, the keys that save would accept it twice.
    const preview = this.previews.take(uri);
    const open = preview && (await this.findDocument(preview.document));
    if (!open) return;
    // The question whether to accept it is answered.
    await hideToasts();
    await closeTabs(uri);
    if (open.document.version !== preview.documentVersion) {
      // Edits went on below the review: they take part in a new merge.
      await this.merge(open);
      return;
    }
    await replaceText(open.document, preview.text);
    open.file.rebase(preview.theirs);
    await vscode.window.showTextDocument(open.document, { preview: false });
    if (await open.document.save()) await closeComparison(open.document);
  }

  async discard(uri: vscode.Uri): Promise<void> {
    this.previews.take(uri);
    await closeTabs(uri);
  }

  private async mergeWith(
    document: vscode.TextDocument,
    base: Snapshot | undefined,
    theirs: Snapshot,
  ): Promise<string | undefined> {
    if (!base) {
      const message = vscode.l10n.t(
        'Edits can only be merged when it is known which version they started from. Use Compare instead.',
      );
      void vscode.window.showWarningMessage(message);
      return undefined;
    }
    const input = {
      base: presentJson(base.text),
      mine: document.getText(),
      theirs: presentJson(theirs.text),
    };
    const first = mergeJson(input);
    if (!first) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'Only valid JSON can be merged. Correct what Problems shows, then merge again.',
        ),
      );
      return undefined;
    }
    if (first.overlaps.length === 0) return first.text;
    const sides = await askForSides(fileNameOf(document.uri), first.overlaps);
    return sides && resolved(input, first, sides);
  }

  /** Counts by structure, so that a moved line is no change. */
  private async offer(preview: vscode.Uri, theirs: string, merged: string): Promise<void> {
    const yours = findJsonChanges(theirs, merged)?.length ?? 0;
    const accept = vscode.l10n.t('Accept and Save');
    const discard = vscode.l10n.t('Discard Merge');
    const message = vscode.l10n.t(
      'Merged: what was changed elsewhere is in, and {0} of your changes on top. Review it, then save.',
      yours,
    );
    const answer = await vscode.window.showInformationMessage(message, accept, discard);
    if (answer === accept) await this.accept(preview);
    if (answer === discard) await this.discard(preview);
  }
}

function resolved(
  input: Parameters<typeof mergeJson>[0],
  { overlaps }: MergeResult,
  sides: readonly MergeSide[],
): string | undefined {
  const chosen = new Map(overlaps.map(({ path }, index) => [path.join('\0'), sides[index]]));
  return mergeJson(input, ({ path }) => chosen.get(path.join('\0')) ?? 'mine')?.text;
}

async function closeTabs(uri: vscode.Uri): Promise<void> {
  const tabs = findDiffTabs(({ modified }) => modified.toString() === uri.toString());
  await vscode.window.tabGroups.close(tabs);
}
