import { Marked } from 'marked';
import type { MarkdownStrings } from '../../../src/shared/registryItemStrings';
import { BoundedLexer } from './boundedLexer';
import { fitHeadings } from './headingLevels';
import { replaceImages } from './imageTexts';
import { resolveLinks } from './linkTargets';
import { freeLooseParts } from './looseParts';
import { sanitizeMarkup } from './sanitizeMarkup';
import { replaceCheckboxes } from './taskMarks';

/** Characters that affect the text direction beyond the word that contains them. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Renders third-party Markdown as nodes. The result doesn't run scripts, load resources, apply
 * styles, or contain links with a misleading target.
 * @param above level of the heading above the text
 * @throws the parser's error if the text is nested too deeply
 */
export function renderMarkdown(
  markdown: string,
  above: number,
  strings: MarkdownStrings,
): DocumentFragment {
  const content = sanitizeMarkup(toHtml(markdown.replace(TURNING, '\ufffd')));
  replaceImages(content, strings);
  replaceCheckboxes(content, strings);
  freeLooseParts(content);
  fitHeadings(content, above);
  resolveLinks(content);
  return content;
}

function toHtml(markdown: string): string {
  const marked = new Marked({ gfm: true });
  return marked.parser(new BoundedLexer(marked.defaults).lex(markdown));
}
