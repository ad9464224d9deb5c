import * as l10n from '@vscode/l10n';
import { Marked } from 'marked';
import DOMPurify from 'dompurify';
import type { PageText } from '../../../src/shared/registryItem';
import { openableLink } from '../../../src/shared/openableLink';
import { element, textButton } from '../../ui/elements';
import { BoundedLexer } from './boundedLexer';

interface MarkdownViewOptions {
  /** Level of the heading that contains the text. */
  readonly above: number;
  /** Opens an address, which the host validates again. */
  readonly openLink: (url: string) => void;
  /** Opens the full source text. */
  readonly openText: () => void;
  readonly focusKey: string;
}

/** Renders third-party Markdown, or shows its source if it can't be rendered. */
export function markdownView(text: PageText, options: MarkdownViewOptions): HTMLElement {
  const { openText, focusKey } = options;
  const content = element('div', { class: 'markdown' });
  const isPlain = !layOut(content, text.markdown, options);
  content.addEventListener('click', (event) => handleLinkClick(event, content, options.openLink));
  content.addEventListener('auxclick', (event) =>
    handleLinkClick(event, content, options.openLink),
  );
  if (!isPlain && !text.isCut) return content;
  const note = element(
    'p',
    { class: 'note' },
    isPlain
      ? `${l10n.t("This text can't be formatted, so it is shown as plain text.")} `
      : undefined,
    text.isCut ? `${l10n.t('Only the beginning of this text is shown.')} ` : undefined,
    textButton(l10n.t('Open Full Text'), openText, { focusKey, hint: l10n.t('Open Full Text') }),
  );
  return element('div', {}, content, note);
}

function layOut(content: HTMLElement, markdown: string, { above }: MarkdownViewOptions): boolean {
  try {
    content.append(renderMarkdown(markdown, above));
    return true;
  } catch {
    // The text is nested too deeply for the parser.
    content.replaceChildren(element('pre', {}, markdown));
    return false;
  }
}

/** By default, VS Code would follow any link; this handler follows only validated links. */
function handleLinkClick(
  event: MouseEvent,
  content: HTMLElement,
  openLink: (url: string) => void,
): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null) return;
  event.preventDefault();
  event.stopPropagation();
  // The right mouse button opens a menu.
  if (event.button > 1) return;
  const heading = findLinkedHeading(content, link);
  const address = openableLink(link.href);
  if (heading) {
    heading.tabIndex = -1;
    heading.focus();
    heading.scrollIntoView({ block: 'start' });
  } else if (address !== undefined) {
    openLink(address);
  }
}

/** Characters that affect the direction of text outside the word that contains them. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Renders third-party Markdown as nodes. The result doesn't run scripts, load resources, apply
 * styles, or contain links with a misleading target.
 * @param above level of the heading above the text
 * @throws the parser's error if the text is nested too deeply
 */
function renderMarkdown(markdown: string, above: number): DocumentFragment {
  const content = sanitizeMarkup(toHtml(markdown.replace(TURNING, '\ufffd')));
  replaceImages(content);
  replaceCheckboxes(content);
  freeLooseParts(content);
  fitHeadings(content, above);
  resolveLinks(content);
  return content;
}

function toHtml(markdown: string): string {
  const marked = new Marked({ gfm: true });
  return marked.parser(new BoundedLexer(marked.defaults).lex(markdown));
}

/** Replaces the checkboxes of task lists with text marks and removes other form fields. */
function replaceCheckboxes(content: DocumentFragment): void {
  for (const field of content.querySelectorAll('input')) {
    const isTask = field.closest('li') !== null;
    const isDone = field.hasAttribute('checked');
    if (isTask) {
      field.replaceWith(taskMark(isDone ? '☑' : '☐', isDone ? l10n.t('done') : l10n.t('not done')));
    } else {
      field.remove();
    }
  }
}

function taskMark(mark: string, label: string): HTMLElement {
  return element('span', { class: 'task', role: 'img', 'aria-label': label }, mark);
}

/** Number of heading levels in HTML. */
const MAX_HEADING_LEVEL = 6;

/**
 * Adjusts heading levels in a description. The headings are one level deeper per nesting level than
 * the heading that contains the description, regardless of their original levels, so that the
 * page's outline has no gaps.
 * @param above level of the containing heading
 */
function fitHeadings(content: DocumentFragment, above: number): void {
  const open: number[] = [];
  for (const heading of content.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    if (heading.textContent.trim() === '') {
      heading.replaceWith(...heading.childNodes);
      continue;
    }
    const written = Number(heading.localName.slice(1));
    while ((open.at(-1) ?? 0) >= written) open.pop();
    open.push(written);
    const fitting = document.createElement(`h${Math.min(above + open.length, MAX_HEADING_LEVEL)}`);
    fitting.append(...heading.childNodes);
    heading.replaceWith(fitting);
  }
}

/**
 * Replaces images with their alternative text and, if available, their address. Loading images
 * would reveal who views the page.
 */
function replaceImages(content: DocumentFragment): void {
  for (const image of content.querySelectorAll('img')) {
    const address = openableLink(image.getAttribute('src') ?? '');
    const server = address === undefined ? '' : new URL(address).host;
    const parts = [(image.getAttribute('alt') ?? '').trim(), server].filter((one) => one !== '');
    const text = parts.length === 0 ? l10n.t('Image') : l10n.t('Image: {0}', parts.join(', '));
    // Links can't be nested.
    const isLink = address !== undefined && image.closest('a') === null;
    image.replaceWith(
      isLink
        ? element('a', { class: 'image', href: address }, text)
        : element('span', { class: 'image', title: address }, text),
    );
  }
}

/** Elements that are meaningful only inside certain parents, and selectors for these parents. */
const WHOLES: Readonly<Record<string, string>> = {
  li: 'ul, ol',
  dt: 'dl',
  dd: 'dl',
  summary: 'details',
};

/**
 * Replaces list items and similar elements that are outside their required parents with their
 * contents. Third-party markup can contain such elements.
 */
function freeLooseParts(content: DocumentFragment): void {
  for (const [name, whole] of Object.entries(WHOLES)) {
    for (const part of content.querySelectorAll(name)) {
      if (part.parentElement?.matches(whole) !== true) part.replaceWith(...part.childNodes);
    }
  }
  for (const list of content.querySelectorAll('ul, ol, dl')) removeNonItems(list);
}

function removeNonItems(list: Element): void {
  const items = list.localName === 'dl' ? ['dt', 'dd'] : ['li'];
  const others = [...list.childNodes].filter(
    (child) =>
      (child instanceof Element && !items.includes(child.localName)) ||
      (child instanceof Text && child.data.trim() !== ''),
  );
  if (others.length === 0) return;
  // A list with children other than items isn't a valid list.
  const group = document.createElement('div');
  group.append(...[...list.childNodes].flatMap((child) => unwrapItem(child)));
  list.replaceWith(group);
}

function unwrapItem(child: ChildNode): ChildNode[] {
  if (!(child instanceof Element) || !['li', 'dt', 'dd'].includes(child.localName)) return [child];
  const paragraph = document.createElement('div');
  paragraph.append(...child.childNodes);
  return [paragraph];
}

/**
 * Elements allowed in descriptions. Styles and classes are not allowed, because they could imitate
 * Fleetwright's own UI.
 */
const TAGS = [
  ...[
    'a',
    'abbr',
    'b',
    'blockquote',
    'br',
    'code',
    'dd',
    'del',
    'details',
    'div',
    'dl',
    'dt',
    'em',
  ],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'img', 'input', 'ins', 'kbd', 'li', 'ol', 'p'],
  ...['pre', 'q', 's', 'samp', 'span', 'strong', 'sub', 'summary', 'sup', 'table', 'tbody', 'td'],
  ...['tfoot', 'th', 'thead', 'tr', 'ul', 'var'],
];
const ATTRIBUTES = [
  'alt',
  'checked',
  'colspan',
  'href',
  'open',
  'rowspan',
  'src',
  'start',
  'title',
];

/** Allowed addresses; addresses with any other scheme never reach the page. */
const ADDRESSES = /^(?:https?:|mailto:|#|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/i;

/**
 * Returns the harmless part of third-party markup as nodes in an inert document. Nothing is shown,
 * loaded, or run until the nodes are inserted into the page.
 */
function sanitizeMarkup(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOWED_URI_REGEXP: ADDRESSES,
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}

/**
 * Resolves the links in a description. External links get their target as a tooltip; links to
 * headings remain unchanged. Links without a usable target, such as a link to a file next to the
 * text, are replaced with plain text.
 */
function resolveLinks(content: DocumentFragment): void {
  const headings = headingsByAnchor(content);
  for (const link of content.querySelectorAll('a')) {
    const written = link.getAttribute('href') ?? '';
    const address = openableLink(written);
    const heading = written.startsWith('#') ? headings.get(decoded(written.slice(1))) : undefined;
    if (address === undefined && heading === undefined) {
      link.replaceWith(...link.childNodes);
      continue;
    }
    if (address !== undefined) {
      link.href = address;
      link.title = address;
    }
    if (link.textContent.trim() === '') link.append(address ?? written);
  }
}

/** Returns the heading that a link within the text targets. */
function findLinkedHeading(content: ParentNode, link: HTMLAnchorElement): HTMLElement | undefined {
  const written = link.getAttribute('href') ?? '';
  return written.startsWith('#')
    ? headingsByAnchor(content).get(decoded(written.slice(1)))
    : undefined;
}

function headingsByAnchor(content: ParentNode): Map<string, HTMLElement> {
  const found = new Map<string, HTMLElement>();
  /**
   * Next suffix number for each anchor, cached because thousands of headings can have the same
   * text.
   */
  const next = new Map<string, number>();
  for (const heading of content.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6')) {
    const anchor = toAnchor(heading.textContent);
    let number = next.get(anchor) ?? 0;
    let name = number === 0 ? anchor : `${anchor}-${String(number)}`;
    for (; found.has(name); name = `${anchor}-${String(number)}`) number += 1;
    next.set(anchor, number + 1);
    found.set(name, heading);
  }
  return found;
}

/** Returns the anchor that code hosting sites create for a heading. */
function toAnchor(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).toLowerCase();
  } catch {
    return text.toLowerCase();
  }
}
