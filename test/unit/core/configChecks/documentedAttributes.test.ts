import assert from 'node:assert/strict';
import { documentedAttributes } from '../../../../src/core/configChecks/documentedAttributes';

const TABLE = `
| Name | Type | Inclusion | Description |
| ---- | ---- | --------- | ----------- |
| \`pin\` | string | **Required** | The pin \\| its name. |
| \`max_rpm\` | float | Optional | The limit. |
`;

const module = (models: readonly string[], markdown?: string, own?: string) => ({
  markdown,
  models: models.map((model) => ({
    api: 'rdk:component:motor',
    model,
    description: undefined,
    markdown: own,
  })),
});

describe('documentedAttributes', () => {
  it('parses the table on the page of a model', () => {
    assert.deepEqual(documentedAttributes(module(['a:b:c'], undefined, TABLE), 'a:b:c'), [
      { name: 'pin', type: 'string', isRequired: true, description: 'The pin | its name.' },
      { name: 'max_rpm', type: 'float', isRequired: false, description: 'The limit.' },
    ]);
  });

  it('parses only the section about the model from the page of a module with several models', () => {
    const other = '| Attribute | What |\n|---|---|\n| `port` | The port |\n';
    const page = `# Motors\n\n## Model a:b:c\n\n### Attributes\n${TABLE}\n## Model a:b:d\n${other}`;
    const names = (model: string): string[] =>
      documentedAttributes(module(['a:b:c', 'a:b:d', 'a:b:e'], page), model).map(
        ({ name }) => name,
      );
    assert.deepEqual(names('a:b:c'), ['pin', 'max_rpm']);
    assert.deepEqual(names('a:b:d'), ['port']);
    assert.deepEqual(names('a:b:e'), []);
    assert.deepEqual(names('x:y:z'), []);
  });

  it('distinguishes models whose names have the same start or end', () => {
    const table = (name: string): string => `|Attribute|Type|\n|--|--|\n|${name}|int|\n`;
    const page = ['a:b:arm-lite', 'xa:b:arm', '`a:b:arm`: an arm', 'a:b:arm_2']
      .map((title, index) => `## ${title}\n${table(`of_${index}`)}`)
      .join('\n');
    const names = (model: string): string[] =>
      documentedAttributes(
        module(['a:b:arm-lite', 'xa:b:arm', 'a:b:arm', 'a:b:arm_2'], page),
        model,
      ).map(({ name }) => name);
    assert.deepEqual(names('a:b:arm-lite'), ['of_0']);
    assert.deepEqual(names('xa:b:arm'), ['of_1']);
    assert.deepEqual(names('a:b:arm'), ['of_2']);
    assert.deepEqual(names('a:b:arm_2'), ['of_3']);
  });

  it('ignores other tables and cells that are not keys', () => {
    const page = `| Model | Description |\n|--|--|\n| a:b:c | Motor |\n\n${TABLE}| see below | | | |\n`;
    const found = documentedAttributes(module(['a:b:c'], page), 'a:b:c');
    assert.deepEqual(
      found.map(({ name }) => name),
      ['pin', 'max_rpm'],
    );
  });

  it('takes little time for a hostile page', () => {
    const page = `${'#'.repeat(50_000)}\n${'|'.repeat(500_000)}\n${' '.repeat(500_000)}|`;
    assert.deepEqual(documentedAttributes(module(['a:b:c'], page), 'a:b:c'), []);
  });
});
