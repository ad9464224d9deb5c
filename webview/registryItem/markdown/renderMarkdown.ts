import { Marked } from 'marked';
import type { MarkdownStrings } from '../../../src/shared/registryItemStrings';
import { BoundedLexer } from './boundedLexer';
import { fitHeadings } from './headingLevels';
import { replaceImages } from './imageTexts';
import { settleLinks } from './linkTargets';
import { freeLooseParts } from './looseParts';
import { sanitizeMarkup } from './sanitizeMarkup';
import { replaceFields } from './taskMarks';

/** Marks that turn the direction of what follows around, beyond the words they stand in. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Markdown of other people as nodes: laid out, but without anything that runs, loads, styles or leads
 * elsewhere than it says.
 * @param above the level of the heading it stands under
 * @throws whatever the parser throws on texts that nest too deep
 */
export function renderMarkdown(
  markdown: string,
  above: number,
  strings: MarkdownStrings,
): DocumentFragment {
  const content = sanitizeMarkup(htmlOf(markdown.replace(TURNING, '\ufffd')));
  replaceImages(content, strings);
  replaceFields(content, strings);
  freeLooseParts(content);
  fitHeadings(content, above);
  settleLinks(content);
  return content;
}

function htmlOf(markdown: string): string {
  const marked = new Marked({ gfm: true });
  return marked.parser(new BoundedLexer(marked.defaults).lex(markdown));
}
