import assert from 'node:assert/strict';
import { registerModel } from '../../../../../src/core/modules/generate/addModel';
import type { ModuleLanguage } from '../../../../../src/core/modules/generate/moduleApi';
import { applyTextEdits } from '../../../../support/applyTextEdits';

const IDENTIFIERS = { className: 'VaneServo', constant: 'vaneServo', fileName: 'vaneServo' };
const START = 'import { startModule } from "./module/startModule";\n';
const IMPORTS = `${START}import { a } from "./a";\n`;
const IMPORTED = `${IMPORTS}import { vaneServo } from "./vaneServo";\n`;

function register(text: string, language: ModuleLanguage = 'typescript'): string | undefined {
  const edits = registerModel(text, language, IDENTIFIERS);
  return edits && applyTextEdits(text, edits);
}

describe('registerModel in TypeScript', () => {
  const cases: readonly (readonly [name: string, before: string, after: string])[] = [
    ['adds to a list of one', 'startModule([a]);', 'startModule([a, vaneServo]);'],
    ['fills an empty list', 'startModule([]);', 'startModule([vaneServo]);'],
    ['keeps a trailing comma', 'startModule([a,]);', 'startModule([a, vaneServo]);'],
    [
      'gives the model a line of its own where others have one',
      'startModule([\n  a, // the first\n  b\n]);',
      'startModule([\n  a, // the first\n  b,\n  vaneServo\n]);',
    ],
    [
      'keeps the comma at the end of the last line',
      'startModule([\n  a,\n]);',
      'startModule([\n  a,\n  vaneServo,\n]);',
    ],
    [
      'finds the end of the list after brackets in calls, texts and comments',
      'startModule([make([1], "]"), /* ] */ b]);',
      'startModule([make([1], "]"), /* ] */ b, vaneServo]);',
    ],
  ];

  for (const [name, before, after] of cases) {
    it(name, () => {
      assert.equal(register(`${IMPORTS}\nawait ${before}\n`), `${IMPORTED}\nawait ${after}\n`);
    });
  }

  it('preserves quotes, line breaks, and multiline imports', () => {
    const imports = `import {\r\n  startModule,\r\n} from './module/startModule'; // start\r\n`;
    assert.equal(
      register(`${imports}\r\nawait startModule([]);\r\n`),
      `${imports}import { vaneServo } from './vaneServo';\r\n\r\nawait startModule([vaneServo]);\r\n`,
    );
  });

  it('returns nothing for a file that starts the module in another way', () => {
    assert.equal(register(`${IMPORTS}await startModule(models);\n`), undefined);
    assert.equal(register('await startModule([]);\n'), undefined);
    assert.equal(register(`${IMPORTS}await startModule([a`), undefined);
  });
});

describe('registerModel in Python', () => {
  it('imports the class next to the others, under their comment', () => {
    const before = '# Importing registers.\nfrom .a import (\n    A,\n)\n\n';
    const after = before.replace('from', 'from .vaneServo import VaneServo  # noqa: F401\nfrom');
    assert.equal(register(before, 'python'), after);
    const onWindows = before.replaceAll('\n', '\r\n');
    assert.equal(register(onWindows, 'python'), after.replaceAll('\n', '\r\n'));
  });

  it('returns nothing for a file that imports no model', () => {
    assert.equal(register('import asyncio\n', 'python'), undefined);
  });
});
