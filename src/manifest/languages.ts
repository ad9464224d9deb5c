/** Languages of queries, of files and of cells of notebooks, by the names that VS Code knows. */
export const languages = {
  sql: { id: 'fleet-sql', extension: '.fleet.sql' },
  mql: { id: 'fleet-mql', extension: '.mql.json' },
} as const;
