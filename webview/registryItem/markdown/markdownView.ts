import type { PageText } from '../../../src/shared/registryItem';
import type { MarkdownStrings } from '../../../src/shared/registryItemStrings';
import { openableLink } from '../../../src/shared/openableLink';
import { element, textButton } from '../../ui/elements';
import { findLinkedHeading } from './linkTargets';
import { renderMarkdown } from './renderMarkdown';

interface MarkdownViewOptions {
  /** Level of the heading that contains the text. */
  readonly above: number;
  readonly strings: MarkdownStrings;
  /** Opens an address, which the host validates again. */
  readonly openLink: (url: string) => void;
  /** Opens the full source text. */
  readonly openText: () => void;
  readonly focusKey: string;
}

/** Renders third-party Markdown, or shows its source if it can't be rendered. */
export function markdownView(text: PageText, options: MarkdownViewOptions): HTMLElement {
  const { strings, openText, focusKey } = options;
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
    isPlain ? `${strings.isPlain} ` : undefined,
    text.isCut ? `${strings.isCut} ` : undefined,
    textButton(strings.openText, openText, { focusKey, hint: strings.openText }),
  );
  return element('div', {}, content, note);
}

function layOut(
  content: HTMLElement,
  markdown: string,
  { above, strings }: MarkdownViewOptions,
): boolean {
  try {
    content.append(renderMarkdown(markdown, above, strings));
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
  } else if (address !== undefined) openLink(address);
}
