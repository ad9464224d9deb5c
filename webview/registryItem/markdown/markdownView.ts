import type { PageText } from '../../../src/shared/registryItem';
import type { MarkdownStrings } from '../../../src/shared/registryItemStrings';
import { openableLink } from '../../../src/shared/openableLink';
import { element, textButton } from '../../ui/elements';
import { headingOf } from './linkTargets';
import { renderMarkdown } from './renderMarkdown';

interface MarkdownViewOptions {
  /** The level of the heading it stands under. */
  readonly above: number;
  readonly strings: MarkdownStrings;
  /** Leads to an address, which the host checks once more. */
  readonly openLink: (url: string) => void;
  /** Shows all of the text as it was written. */
  readonly openText: () => void;
  readonly focusKey: string;
}

/** Markdown of other people, laid out; as it was written where that cannot be done. */
export function markdownView(text: PageText, options: MarkdownViewOptions): HTMLElement {
  const { strings, openText, focusKey } = options;
  const content = element('div', { class: 'markdown' });
  const isPlain = !layOut(content, text.markdown, options);
  content.addEventListener('click', (event) => follow(event, content, options.openLink));
  content.addEventListener('auxclick', (event) => follow(event, content, options.openLink));
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
    // Nested deeper than the parser can go.
    content.replaceChildren(element('pre', {}, markdown));
    return false;
  }
}

/** VS Code would follow links by itself, whatever they lead to: here only what was checked is followed. */
function follow(event: MouseEvent, content: HTMLElement, openLink: (url: string) => void): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null) return;
  event.preventDefault();
  event.stopPropagation();
  // The second button opens a menu.
  if (event.button > 1) return;
  const heading = headingOf(content, link);
  const address = openableLink(link.href);
  if (heading) {
    heading.tabIndex = -1;
    heading.focus();
    heading.scrollIntoView({ block: 'start' });
  } else if (address !== undefined) openLink(address);
}
