import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot } from '../../../scripts/support/paths';
import { thirdPartyNotices } from '../../../scripts/support/thirdPartyNotices';

describe('the notices of distributed packages', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-notices-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function createNotice(facts: object, license?: string): string {
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'sonar', version: '1.0.0', ...facts }),
    );
    if (license !== undefined) writeFileSync(join(folder, 'LICENSE'), license);
    return thirdPartyNotices([folder]);
  }

  it('include the license that a package contains', () => {
    const notice = createNotice({ license: 'MIT' }, 'Do with it what you like.\n');
    assert.equal(notice, 'sonar 1.0.0 (MIT)\n\nDo with it what you like.\n');
  });

  it('include the texts of licenses that a package only names, with the copyright', () => {
    const notice = createNotice({ license: '(Apache-2.0 AND MIT)', author: { name: 'Acme' } });
    assert.match(notice, /^sonar 1\.0\.0 .*\n\nCopyright \(c\) Acme\n/);
    assert.match(notice, /TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION/);
    assert.match(notice, /Permission is hereby granted, free of charge/);
  });

  it('name what is bundled into the training program', () => {
    const trains = ['core', 'layers', 'backend-wasm'].map((name) =>
      fromRoot('node_modules', '@tensorflow', `tfjs-${name}`),
    );
    const notice = thirdPartyNotices(trains);
    for (const owed of [/Apache License/, /Google LLC/, /XNNPACK/, /Emscripten/]) {
      assert.match(notice, owed);
    }
  });
});
