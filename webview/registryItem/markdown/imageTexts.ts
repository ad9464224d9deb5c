import { openableLink } from '../../../src/shared/openableLink';
import type { MarkdownStrings } from '../../../src/shared/registryItemStrings';
import { element } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';

/** Puts words, and the address where there is one, in the place of images: loading them would tell who looks. */
export function replaceImages(content: DocumentFragment, strings: MarkdownStrings): void {
  for (const image of content.querySelectorAll('img')) {
    const address = openableLink(image.getAttribute('src') ?? '');
    const server = address === undefined ? '' : new URL(address).host;
    const told = [(image.getAttribute('alt') ?? '').trim(), server].filter((one) => one !== '');
    const text =
      told.length === 0
        ? strings.imageWithoutText
        : fillPlaceholders(strings.image, told.join(', '));
    // In a link there cannot be another one.
    const isLink = address !== undefined && image.closest('a') === null;
    image.replaceWith(
      isLink
        ? element('a', { class: 'image', href: address }, text)
        : element('span', { class: 'image', title: address }, text),
    );
  }
}
