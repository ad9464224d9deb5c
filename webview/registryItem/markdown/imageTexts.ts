import { openableLink } from '../../../src/shared/openableLink';
import type { MarkdownStrings } from '../../../src/shared/registryItemStrings';
import { element } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';

/**
 * Replaces images with their alternative text and, if available, their address, because loading
 * images would reveal who views the page.
 */
export function replaceImages(content: DocumentFragment, strings: MarkdownStrings): void {
  for (const image of content.querySelectorAll('img')) {
    const address = openableLink(image.getAttribute('src') ?? '');
    const server = address === undefined ? '' : new URL(address).host;
    const parts = [(image.getAttribute('alt') ?? '').trim(), server].filter((one) => one !== '');
    const text =
      parts.length === 0
        ? strings.imageWithoutText
        : fillPlaceholders(strings.image, parts.join(', '));
    // Links can't be nested.
    const isLink = address !== undefined && image.closest('a') === null;
    image.replaceWith(
      isLink
        ? element('a', { class: 'image', href: address }, text)
        : element('span', { class: 'image', title: address }, text),
    );
  }
}
