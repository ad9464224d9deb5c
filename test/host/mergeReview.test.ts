import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Snapshot } from '../../src/core/documents/configSource';
import type { DocumentFile } from '../../src/core/documents/documentFile';
import type { AppliedMerge } from '../../src/core/documents/jsonMerge';
import {
  ConflictResolver,
  findDiffTabs,
  type OpenDocument,
} from '../../src/host/features/documents/conflictResolver';
import {
  ConflictCommands,
  ConflictNumbers,
} from '../../src/host/features/documents/conflictCommands';
import type { DocumentOpener } from '../../src/host/features/documents/documentOpener';
import { MergePreviews, RevisionContent } from '../../src/host/features/documents/revisionContent';
import { MergeReview } from '../../src/host/features/documents/mergeReview';
import { CommandRegistry } from '../../src/host/platform/commands/commandRegistry';
import { replaceText } from '../../src/host/platform/documents/replaceText';
import type { SessionProvider } from '../../src/host/platform/sessionProvider';
import { EditorRecorder } from './support/editorRecorder';
import { ScriptedPrompts } from './support/scriptedPrompts';

const BASE = '{"rpm": 1, "pin": 1}';
const MINE = '{"rpm": 2, "pin": 1}';
const OVERLAP = /Both versions changed "rpm"/;

const createSnapshot = (text: string): Snapshot => ({ text, version: undefined, name: '' });

describe('MergeReview', () => {
  let recorder: EditorRecorder;
  let prompts: ScriptedPrompts;
  let content: RevisionContent;
  let previews: MergePreviews;
  let review: MergeReview;
  let open: OpenDocument;
  let document: vscode.TextDocument;
  let remote: Snapshot;
  let approved: string[];
  let findDocument: () => Promise<OpenDocument>;
  let documents = 0;

  beforeEach(async () => {
    await vscode.extensions.getExtension('fleetwright.fleetwright')?.activate();
    recorder = new EditorRecorder();
    prompts = new ScriptedPrompts();
    documents += 1;
    document = await vscode.workspace.openTextDocument(recorder.put(`${documents}.json`, BASE));
    await vscode.window.showTextDocument(document, { preview: false });
    await replaceText(document, MINE);
    remote = createSnapshot('{"rpm": 1, "pin": 3}');
    approved = [];
    const merges: AppliedMerge[] = [];
    const file: Partial<DocumentFile> = {
      base: createSnapshot(BASE),
      merges,
      noteMerge: (merge) => void merges.push(merge),
      readNow: () => Promise.resolve(remote),
      approve: (text) => void approved.push(text),
    };
    open = { document, file: file as DocumentFile, address: {} as OpenDocument['address'] };
    findDocument = () => Promise.resolve(open);
    previews = new MergePreviews();
    content = new RevisionContent({} as SessionProvider, previews);
    review = new MergeReview(content, previews, () => findDocument());
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    prompts[Symbol.dispose]();
    content.dispose();
    recorder.dispose();
  });

  function currentReview(): vscode.Uri {
    const [uri, ...others] = previews.of(document.uri);
    assert.ok(uri && others.length === 0);
    return uri;
  }

  const isShown = (uri: vscode.Uri): boolean =>
    findDiffTabs(({ modified }) => modified.toString() === uri.toString()).length > 0;

  const values = (): unknown => JSON.parse(document.getText());

  it('saves an accepted merge and closes the review', async () => {
    await review.merge(open);
    const uri = currentReview();
    assert.ok(isShown(uri));
    assert.deepEqual(values(), { rpm: 2, pin: 1 });
    await review.accept(uri);
    assert.deepEqual(values(), { rpm: 2, pin: 3 });
    assert.equal(document.isDirty, false);
    assert.equal(approved.length, 1);
    assert.deepEqual(previews.of(document.uri), []);
    assert.ok(!isShown(uri));
  });

  it('accepts a merge once if the keys are pressed twice', async () => {
    await review.merge(open);
    const uri = currentReview();
    await Promise.all([review.accept(uri), review.accept(uri)]);
    assert.equal(approved.length, 1);
    assert.equal(document.isDirty, false);
  });

  it('merges text again that was typed during the prompts', async () => {
    remote = createSnapshot('{"rpm": 3, "pin": 1}');
    const merging = review.merge(open);
    await prompts.next(OVERLAP);
    await replaceText(document, '{"rpm": 2, "pin": 1, "typed": true}');
    await prompts.pick(OVERLAP, 'Keep Mine');
    await merging;
    const first = currentReview();
    const accepting = review.accept(first);
    await prompts.pick(OVERLAP, 'Keep Mine');
    await accepting;
    const second = currentReview();
    assert.notEqual(second.toString(), first.toString());
    assert.ok(!isShown(first) && isShown(second));
    await review.accept(second);
    assert.deepEqual(values(), { rpm: 2, pin: 1, typed: true });
    assert.equal(document.isDirty, false);
  });

  it('merges only what changed since, after a merge whose save failed', async () => {
    remote = createSnapshot('{"rpm": 1, "pin": 1, "added": true}');
    await review.merge(open);
    recorder.failure = new Error('rejected');
    await review.accept(currentReview());
    assert.deepEqual(values(), { rpm: 2, pin: 1, added: true });
    assert.equal(document.isDirty, true);
    remote = createSnapshot('{"rpm": 1, "pin": 4}');
    await review.merge(open);
    await review.accept(currentReview());
    assert.deepEqual(values(), { rpm: 2, pin: 4 });
  });

  it('merges only what changed since, if the text is edited after a merge whose save failed', async () => {
    remote = createSnapshot('{"rpm": 1, "pin": 1, "added": true}');
    await review.merge(open);
    recorder.failure = new Error('rejected');
    await review.accept(currentReview());
    await replaceText(document, '{"rpm": 5, "pin": 1, "added": true}');
    remote = createSnapshot('{"rpm": 1, "pin": 4}');
    await review.merge(open);
    await review.accept(currentReview());
    assert.deepEqual(values(), { rpm: 5, pin: 4 });
  });

  it('merges again if the document was closed, opened, and edited again', async () => {
    await review.merge(open);
    const uri = currentReview();
    const again = await vscode.workspace.openTextDocument(recorder.put('again.json', BASE));
    await replaceText(again, '{"rpm": 7, "pin": 1}');
    assert.equal(again.version, document.version);
    findDocument = () => Promise.resolve({ ...open, document: again });
    await review.accept(uri);
    assert.deepEqual(JSON.parse(again.getText()), { rpm: 7, pin: 1 });
    assert.deepEqual(approved, []);
    const [next] = previews.of(again.uri);
    assert.ok(next);
    await review.accept(next);
    assert.deepEqual(JSON.parse(again.getText()), { rpm: 7, pin: 3 });
  });

  it('leaves a review open if the prompts of the next merge are canceled', async () => {
    await review.merge(open);
    const uri = currentReview();
    remote = createSnapshot('{"rpm": 3, "pin": 1}');
    await replaceText(document, '{"rpm": 4, "pin": 1}');
    const accepting = review.accept(uri);
    (await prompts.next(OVERLAP)).leave();
    await accepting;
    assert.equal(currentReview().toString(), uri.toString());
    assert.ok(isShown(uri));
    assert.deepEqual(values(), { rpm: 4, pin: 1 });
  });

  it('leaves the review open if Discard Merge is canceled', async () => {
    await review.merge(open);
    const uri = currentReview();
    const discarding = review.discard(uri);
    (await prompts.next(/Discard the merge/)).leave();
    await assert.rejects(discarding, { kind: 'canceled' });
    assert.ok(previews.get(uri) && isShown(uri));
    const again = review.discard(uri);
    await prompts.confirm(/Discard the merge/, 'Discard Merge');
    await again;
    assert.ok(!previews.get(uri) && !isShown(uri));
    assert.deepEqual(values(), { rpm: 2, pin: 1 });
    assert.ok(document.isDirty);
  });

  it('leaves the review open if the save fails, and accepts it the next time', async () => {
    await review.merge(open);
    const uri = currentReview();
    recorder.failure = vscode.FileSystemError.Unavailable('Offline.');
    await review.accept(uri);
    assert.ok(document.isDirty);
    assert.ok(previews.get(uri) && isShown(uri));
    await review.accept(uri);
    assert.deepEqual(values(), { rpm: 2, pin: 3 });
    assert.equal(document.isDirty, false);
    assert.ok(!previews.get(uri) && !isShown(uri));
  });

  it('closes the review when the document is reloaded', async () => {
    const handlers = new Map<string, (uri: vscode.Uri) => Promise<void>>();
    const registerCommand = (id: string, handler: (uri: vscode.Uri) => Promise<void>) => {
      handlers.set(id, handler);
      return new vscode.Disposable(() => undefined);
    };
    const { executeCommand } = vscode.commands;
    const registry = new CommandRegistry({ registerCommand, executeCommand }, assert.ifError);
    const opener: Pick<DocumentOpener, 'find'> = { find: () => findDocument() };
    const resolver = new ConflictResolver({} as SessionProvider, content);
    const commands = new ConflictCommands(
      registry,
      opener as DocumentOpener,
      new ConflictNumbers(),
      () => Promise.resolve({ resolver, review }),
    );
    await review.merge(open);
    const uri = currentReview();
    const reloading = handlers.get('fleetwright.document.reload')?.(document.uri);
    await prompts.confirm(/Discard your unsaved edits/, 'Discard and Reload');
    await reloading;
    commands.dispose();
    assert.deepEqual(values(), { rpm: 1, pin: 3 });
    assert.equal(document.isDirty, false);
    assert.ok(!previews.get(uri) && !isShown(uri));
  });

  it('leaves the review open if the document cannot be opened', async () => {
    await review.merge(open);
    const uri = currentReview();
    findDocument = () => Promise.reject(new Error('Offline.'));
    await assert.rejects(review.accept(uri), /Offline/);
    assert.ok(previews.get(uri) && isShown(uri));
    findDocument = () => Promise.resolve(open);
    await review.accept(uri);
    assert.equal(document.isDirty, false);
  });

  it('counts one change of the user in the singular', async () => {
    await review.merge(open);
    await prompts.message(/with your change\./);
  });
});
