import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fromRoot } from '../../../scripts/support/paths';
import { RESERVED_MEBIBYTES } from '../../../src/service/store/diskReserve';

/** Returns the source of the service, with string literals that are joined by `+` as one. */
function readSources(): string {
  return globSync('src/service/**/*.ts', { cwd: fromRoot() })
    .map((path) => readFileSync(fromRoot(path), 'utf8'))
    .join('\n')
    .replaceAll(/['"`] \+\s*['"`]/g, '')
    .replaceAll(/\$\{String\(RESERVED_MEBIBYTES\)\}/g, String(RESERVED_MEBIBYTES));
}

describe('docs/runbook.md', () => {
  const page = readFileSync(fromRoot('docs', 'runbook.md'), 'utf8');
  const [, failures = ''] = /## Common failures\n([\s\S]*?)\n## /.exec(page) ?? [];
  const sections = failures.split(/^### .*$/m).slice(1);

  it('describes for each failure how to confirm it and what to do', () => {
    assert.ok(sections.length >= 12);
    for (const section of sections) {
      const steps = [...section.matchAll(/^- \*\*(\w+):\*\*/gm)].map(([, step]) => step);
      assert.deepEqual(steps, ['Symptom', 'Confirm', 'Do']);
    }
  });

  it('quotes messages that the service has', () => {
    const sources = readSources();
    const quotes = sections.flatMap((section) => {
      const [symptom = ''] = /\*\*Symptom:\*\*.*/.exec(section.replaceAll(/\n {2}/g, ' ')) ?? [];
      return [...symptom.matchAll(/`([^`]+)`/g)].map(([, quote = '']) => quote);
    });
    assert.ok(quotes.length > 15);
    for (const part of quotes.flatMap((quote) => quote.split('…'))) {
      assert.ok(sources.includes(part.trim()), part);
    }
    const metrics = [...page.matchAll(/fleetwright_([a-z_]+)/g)].map(([, name = '']) => name);
    for (const name of metrics) assert.ok(sources.includes(name), name);
  });
});
