import assert from 'node:assert/strict';
import { markdownSection } from '../../../../src/core/modules/manifest/checkSources';

const TEXT = `# Weather station

Intro

## Model acme:weather:station

One

### Options

Two

\`\`\`sh
## Not a heading
\`\`\`

## Options

Three
## Über *uns*! ##

Four
`;

describe('a section of a Markdown text', () => {
  it('ends before the next heading of its level or a higher one', () => {
    const section = markdownSection(TEXT, 'model-acmeweatherstation') ?? '';
    assert.match(section, /^## Model acme:weather:station\n\nOne/);
    assert.match(section, /## Not a heading\n```$/);
    assert.equal(markdownSection(TEXT, 'weather-station'), TEXT.trim());
  });

  it('distinguishes headings with equal names by their number', () => {
    assert.match(markdownSection(TEXT, 'options') ?? '', /^### Options\n\nTwo/);
    assert.equal(markdownSection(TEXT, 'options-1'), '## Options\n\nThree');
  });

  it('is found by the anchor of links: in lower case, without punctuation', () => {
    assert.match(markdownSection(TEXT, 'über-uns') ?? '', /Four$/);
    assert.match(markdownSection(TEXT, 'Options-1') ?? '', /Three$/);
  });

  it('is not found for a missing heading, or one in code', () => {
    assert.equal(markdownSection(TEXT, 'not-a-heading'), undefined);
    assert.equal(markdownSection('', 'x'), undefined);
    assert.equal(markdownSection('plain text', ''), undefined);
  });

  it('is found in linear time for any lines', () => {
    for (const filling of [' ', '#', '# ', ' \t']) {
      const text = `# ${filling.repeat(100_000)}x\n## Options ##\n\nOne`;
      assert.equal(markdownSection(text, 'options'), '## Options ##\n\nOne');
    }
  });

  it('supports Windows line breaks', () => {
    assert.equal(markdownSection('# One\r\ntext\r\n# Two\r\n', 'one'), '# One\r\ntext');
  });
});
