import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { LongWork } from '../../src/base/longWork';
import { parseEditedConfigInSteps } from '../../src/core/documents/resolvedText';
import { ParsedConfigs } from '../../src/host/features/configChecks/parsedConfigs';

describe('ParsedConfigs in a real extension host', () => {
  let document: vscode.TextDocument;
  let texts: string[];
  let steps: number;
  /** True to parse no further than the first step. */
  let isHeld: boolean;
  let configs: ParsedConfigs;

  function* parse(text: string): ReturnType<typeof parseEditedConfigInSteps> {
    texts.push(text);
    while (isHeld) yield;
    for (const work = parseEditedConfigInSteps(text); ; steps += 1) {
      const step = work.next();
      if (step.done === true) return step.value;
      yield;
    }
  }

  beforeEach(async () => {
    [texts, steps, isHeld] = [[], 0, false];
    // Each step is a slice.
    configs = new ParsedConfigs({ work: new LongWork({ sliceMs: 0 }), parse });
    const entries = Array.from({ length: 5000 }, (_, index) => ({ name: `a${String(index)}` }));
    const content = JSON.stringify({ components: entries });
    document = await vscode.workspace.openTextDocument({ language: 'json', content });
  });

  afterEach(() => configs.dispose());

  /** Changes the document, and returns its new text. */
  async function edit(): Promise<string> {
    const change = new vscode.WorkspaceEdit();
    change.insert(document.uri, new vscode.Position(0, 0), ' ');
    await vscode.workspace.applyEdit(change);
    return document.getText();
  }

  it('parses each version once, on demand', async () => {
    const before = document.getText();
    const [first, second] = await Promise.all([configs.get(document), configs.get(document)]);
    // A comparison by `assert.equal` would print both trees if it failed, which takes gigabytes.
    assert.ok(first && first === second);
    assert.ok((await configs.get(document)) === first);
    assert.ok(first.findNames() === first.findNames());
    await edit();
    const after = await edit();
    await configs.get(document);
    assert.ok(texts[0] === before && texts[1] === after && texts.length === 2);
  });

  it('yields to the event loop between steps', async () => {
    const parsed = configs.get(document);
    let turns = 0;
    const state = { isFinished: false };
    void parsed.finally(() => (state.isFinished = true));
    for (; !state.isFinished; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      assert.ok(steps <= turns + 1, `${String(steps)} steps after ${String(turns)} turns`);
    }
    assert.ok(turns > 20, String(turns));
  });

  it('stops parsing a version that has changed', async () => {
    isHeld = true;
    const parsed = configs.get(document);
    const text = await edit();
    assert.ok((await parsed) === undefined);
    isHeld = false;
    assert.equal((await configs.get(document))?.text, text);
  });

  it('frees the result when the document closes', async () => {
    const before = await configs.get(document);
    // Changing the language closes a document and opens it again.
    const reopened = await vscode.languages.setTextDocumentLanguage(document, 'plaintext');
    assert.ok((await configs.get(reopened)) !== before);
    assert.equal(texts.length, 2);
  });
});
