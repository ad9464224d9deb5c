import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import './support/englishVscode';
import {
  pageTranslations,
  selectTranslations,
} from '../../src/host/platform/webview/pageTranslations';
import { toPseudoText } from '../support/pseudoTexts';
import { usePseudoTexts } from './support/vscodeTexts';

describe('pageTranslations', () => {
  let folder: string;
  let extensionUri: Parameters<typeof pageTranslations>[0];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-strings-'));
    extensionUri = { fsPath: folder } as typeof extensionUri;
  });

  afterEach(() => {
    usePseudoTexts(false);
    rmSync(folder, { recursive: true });
  });

  function writeStrings(app: string, strings: readonly string[]): void {
    const target = join(folder, 'dist', 'webview');
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, `${app}.strings.json`), JSON.stringify(strings));
  }

  it('returns the translations of the requested app', () => {
    writeStrings('history', ['Close']);
    writeStrings('logs', ['Pause']);
    usePseudoTexts(true);
    assert.deepEqual(pageTranslations(extensionUri, 'logs'), { Pause: toPseudoText('Pause') });
  });

  it('reads nothing if VS Code runs in English', () => {
    assert.equal(pageTranslations(extensionUri, 'logs'), undefined);
  });

  it('omits strings that have no translation', () => {
    assert.deepEqual(selectTranslations(['Close', 'Pause'], { Close: 'Schließen' }), {
      Close: 'Schließen',
    });
  });
});
