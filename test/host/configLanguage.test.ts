import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { englishLocalizer } from '../../src/base/localizer';
import { checkConfig } from '../../src/core/configChecks/checkConfig';
import type { ConfigObject } from '../../src/core/fragments/configValue';
import { resolveConfig } from '../../src/core/fragments/resolveConfig';
import {
  type CheckedConfig,
  ConfigFixes,
  ConfigNames,
  ScheduleHover,
} from '../../src/host/features/configChecks/configLanguage';
import { ParsedConfigs } from '../../src/host/features/configChecks/parsedConfigs';

// Misspelled on purpose: cspell:ignore modell frmae

const UNCHECKED = { diagnostics: [], resolved: undefined, modules: new Map() };

const CONFIG = `{
  "components": [
    { "name": "board", "type": "board", "model": "fake" },
    { "name": "arm", "type": "arm", "modell": "fake", "depends_on": ["board"] }
  ],
  "jobs": [
    { "name": "night", "schedule": "40 2 * * *", "resource": "rdk:component:board/board", "method": "Read" }
  ]
}`;

describe('the language features of configs in a real extension host', () => {
  let document: vscode.TextDocument;
  let checked: CheckedConfig;
  let names: ConfigNames;
  let configs: ParsedConfigs;
  const find = (): CheckedConfig => checked;

  before(async () => {
    document = await vscode.workspace.openTextDocument({ language: 'json', content: CONFIG });
    const options = { resolved: undefined, isFragment: false, l10n: englishLocalizer };
    const diagnostics = checkConfig(CONFIG, options);
    checked = { version: document.version, ...UNCHECKED, diagnostics };
    configs = new ParsedConfigs();
    names = new ConfigNames(configs, find);
  });

  after(() => configs.dispose());

  /** Returns the position inside the first occurrence of a text. */
  const at = (text: string, from = 0): vscode.Position =>
    document.positionAt(CONFIG.indexOf(text, from) + 1);

  const readText = (range: vscode.Range): string => document.getText(range);

  it('fix a misspelled key, but not if the text has changed since the check', () => {
    const position = at('modell');
    const range = new vscode.Range(position, position);
    const context = { diagnostics: [], only: undefined, triggerKind: 1 } as const;
    const fixes = new ConfigFixes(find);
    const [fix] = fixes.provideCodeActions(document, range, context);
    assert.equal(fix?.title, 'Change to "model"');
    const [edit] = fix.edit?.get(document.uri) ?? [];
    assert.deepEqual([edit && readText(edit.range), edit?.newText], ['"modell"', '"model"']);
    const changed = { ...checked, version: checked.version - 1 };
    assert.deepEqual(
      new ConfigFixes(() => changed).provideCodeActions(document, range, context),
      [],
    );
  });

  it('explain a schedule', async () => {
    const explanations = new ScheduleHover(configs);
    const hover = await explanations.provideHover(document, at('40 2'));
    const [text] = hover?.contents ?? [];
    assert.ok(text instanceof vscode.MarkdownString);
    assert.match(text.value.replaceAll('&nbsp;', ' '), /At 02:40/);
    assert.equal(await explanations.provideHover(document, at('night')), undefined);
  });

  it('find the definition of a name and all references to it', async () => {
    const used = at('board"', CONFIG.indexOf('depends_on'));
    const [definition] = (await names.provideDefinition(document, used)) ?? [];
    assert.ok(definition);
    assert.equal(readText(definition.range), '"board"');
    assert.equal(definition.range.start.line, 2);
    const references = await names.provideReferences(document, used, { includeDeclaration: true });
    assert.deepEqual(
      references?.map(({ range }) => [range.start.line, readText(range)]),
      [
        [2, 'board'],
        [3, 'board'],
        [6, 'board'],
      ],
    );
  });

  it('rename a resource together with its references, without their qualifiers', async () => {
    const edit = await names.provideRenameEdits(document, at('board"'), 'main-board');
    const edits = edit?.get(document.uri) ?? [];
    assert.deepEqual(
      edits.map(({ range, newText }) => [readText(range), newText]),
      [
        ['"board"', '"main-board"'],
        ['"board"', '"main-board"'],
        ['"rdk:component:board/board"', '"rdk:component:board/main-board"'],
      ],
    );
    const rename = (name: string) => names.provideRenameEdits(document, at('board"'), name);
    await assert.rejects(rename('no name'), /is not a valid name/);
    await assert.rejects(rename('arm'), /already has a resource named "arm"/);
    await assert.rejects(names.prepareRename(document, at('night')), /Only names of resources/);
  });

  it('rename a resource in variables and overrides of fragments at the prompt of VS Code', async () => {
    const text = JSON.stringify({
      components: [{ name: 'board', type: 'board', model: 'fake' }],
      fragments: [{ id: 'f', variables: { arm: 'left', board: 'board' } }],
      fragment_mods: [
        { fragment_id: 'f', mods: [{ $set: { 'components.left.depends_on': ['board'] } }] },
      ],
    });
    const fragments = JSON.parse(text) as ConfigObject;
    const resolved = resolveConfig(fragments, () => ({
      components: [{ name: { $variable: { name: 'arm' } }, type: 'arm', model: 'fake' }],
    }));
    const config = await vscode.workspace.openTextDocument({ language: 'json', content: text });
    const known = { ...checked, resolved: resolved as unknown as CheckedConfig['resolved'] };
    const rename = async (name: string): Promise<string[]> => {
      const position = config.positionAt(text.indexOf(`"${name}"`) + 1);
      const all = await new ConfigNames(configs, () => known).provideRenameEdits(
        config,
        position,
        'new',
      );
      const edits = all?.get(config.uri);
      return (edits ?? []).map(({ range, newText }) => `${config.getText(range)} ${newText}`);
    };
    assert.deepEqual(await rename('left'), [
      '"left" "new"',
      '"components.left.depends_on" "components.new.depends_on"',
    ]);
    assert.deepEqual(await rename('board'), Array(3).fill('"board" "new"'));
  });

  it('complete the names of resources where one is expected', async () => {
    const expected = await names.provideCompletionItems(
      document,
      at('board"', CONFIG.indexOf('depends_on')),
    );
    assert.deepEqual(
      expected?.map(({ label }) => label),
      ['board', 'arm'],
    );
    assert.equal(await names.provideCompletionItems(document, at('night')), undefined);
  });
});
