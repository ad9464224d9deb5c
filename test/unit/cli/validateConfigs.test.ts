import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCommandLine, UsageError } from '../../../src/cli/commandLine';
import { EXIT_DONE, EXIT_UNFIT } from '../../../src/cli/report';
import { validateConfigs } from '../../../src/cli/validateConfigs';

// Misspelled on purpose: cspell:ignore componets

const VALID = '{"components": [{"name": "arm", "type": "arm", "model": "fake"}]}';
const INVALID = `{
  "components": [
    { "name": "arm", "type": "arm", "model": "fake", "depends_on": ["board"] }
  ]
}`;
const TYPES = `{
  "remotes": [{ "name": "a", "address": 1 }],
  "jobs": {},
  "cloud": { "id": "a",
    "id": "b" }
}`;
const ROUNDED = '{"variables": {"id": 12345678901234567890}}';
const MISSPELLED = '{"componets": []}';

describe('config validate', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
    for (const [name, text] of Object.entries({
      ...{ VALID, INVALID, TYPES, ROUNDED, MISSPELLED },
      BROKEN: '{"a" 1}',
    })) {
      writeFileSync(join(folder, name), text);
    }
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  async function run(...args: string[]) {
    const command = parseCommandLine(['config', 'validate', ...args]);
    assert.equal(command.kind, 'validateConfig');
    const lines: string[] = [];
    const add = (line: string): void => void lines.push(line.replaceAll(`${folder}/`, ''));
    const files = command.files.map((file) => join(folder, file));
    const code = await validateConfigs({ ...command, files }, { result: add, say: add });
    return { code, lines };
  }

  it('reports each error with its line and column, and fails for warnings', async () => {
    assert.deepEqual(await run('VALID', 'INVALID'), {
      code: EXIT_UNFIT,
      lines: [
        'VALID: the config is valid.',
        'INVALID:3:69: warning: This config has no component or service named "board".',
      ],
    });
  });

  it('does not fail for hints, such as unknown names in a fragment', async () => {
    const { code, lines } = await run('--fragment', 'MISSPELLED', 'INVALID');
    assert.equal(code, EXIT_DONE);
    assert.deepEqual(lines, [
      'MISSPELLED:1:2: hint: "componets" has no effect here. Did you mean "components"?',
      'MISSPELLED: the config is valid.',
      'INVALID:3:69: hint: This config has no component or service named "board".',
      'INVALID: the config is valid.',
    ]);
  });

  it('reports values of the wrong type and the second of two equal keys', async () => {
    const { code, lines } = await run('TYPES');
    assert.equal(code, EXIT_UNFIT);
    assert.deepEqual(lines, [
      'TYPES:5:5: error: The key "id" occurs more than once in this object, and different programs might read different values. Rename or delete one of them.',
      'TYPES:2:41: warning: "remotes[0].address" must be text in double quotes.',
      'TYPES:3:11: error: "jobs" must be a list, enclosed in [ and ].',
    ]);
  });

  it('reports numbers of a fragment that saving it would round', async () => {
    const { code, lines } = await run('--fragment', 'ROUNDED');
    assert.equal(code, EXIT_UNFIT);
    assert.match(lines.join(), /^ROUNDED:1:22: error: .*12345678901234567890/);
  });

  it('reports syntax errors, and prints one JSON object on request', async () => {
    const { code, lines } = await run('--json', 'BROKEN');
    assert.equal(code, EXIT_UNFIT);
    const message = 'This is not valid JSON: a colon is missing.';
    const diagnostic = {
      severity: 'error',
      code: 'notJson',
      field: '',
      line: 1,
      column: 6,
      message,
    };
    assert.deepEqual(JSON.parse(lines.join('')), {
      ok: false,
      files: [
        { file: join(folder, 'BROKEN').replace(`${folder}/`, ''), diagnostics: [diagnostic] },
      ],
    });
  });

  it('reports invalid arguments and files', async () => {
    assert.throws(() => parseCommandLine(['config', 'validate']), UsageError);
    assert.throws(() => parseCommandLine(['config', 'check']), UsageError);
    await assert.rejects(run('MISSING'), /MISSING can't be read/);
  });
});
