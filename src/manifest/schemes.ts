/** URI schemes of the documents this extension serves. */
export const schemes = {
  /** Previews and reports of bulk changes. */
  bulk: 'fleetwright-bulk',
  document: 'fleetwright',
  /** States of documents, to read and compare. */
  revision: 'fleetwright-revision',
} as const;
