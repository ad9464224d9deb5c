import DOMPurify from 'dompurify';

/** What descriptions are made of. Neither styles nor classes, which could disguise what is ours. */
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

/** Addresses only: what else has a scheme never gets as far as the page. */
const ADDRESSES = /^(?:https?:|mailto:|#|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/i;

/**
 * The harmless part of markup of other people, as nodes of a document that shows nothing, loads nothing and
 * runs nothing until they are put into the page.
 */
export function sanitizeMarkup(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOWED_URI_REGEXP: ADDRESSES,
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}
