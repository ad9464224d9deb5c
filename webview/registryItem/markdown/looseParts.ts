/** Elements that are meaningful only inside certain parents, and selectors for these parents. */
const WHOLES: Readonly<Record<string, string>> = {
  li: 'ul, ol',
  dt: 'dl',
  dd: 'dl',
  summary: 'details',
};

/**
 * Replaces list items and similar elements that are outside of their required parents with their
 * contents. Third-party markup can contain such elements.
 */
export function freeLooseParts(content: DocumentFragment): void {
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
