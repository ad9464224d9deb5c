/** URI schemes of the documents this extension serves. */
export const schemes = {
  /** Previews and reports of bulk changes. */
  bulk: 'fleetwright-bulk',
  /** Captured contents, to look at. */
  data: 'fleetwright-data',
  document: 'fleetwright',
  /** How fit datasets are to be trained on. */
  readiness: 'fleetwright-readiness',
  /** Configs of parts with their fragments in place, to read and compare. */
  resolved: 'fleetwright-resolved',
  /** States of documents, to read and compare. */
  revision: 'fleetwright-revision',
} as const;
