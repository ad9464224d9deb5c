/** URI schemes of the documents this extension serves. */
export const schemes = {
  document: 'fleetwright',
  /** States of documents, to read and compare. */
  revision: 'fleetwright-revision',
} as const;
