import DOMPurify from 'dompurify';

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
 * Returns the harmless part of third-party markup as nodes of an inert document: nothing is shown,
 * loaded, or run until the nodes are inserted into the page.
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
