/** Stored in the file's header; identifies the tables below. */
export const version = 3

/** A row that is added or removed changes the totals in the same transaction, so they cannot differ from the rows. */
const addTotal = (row: 'new' | 'old', sign: '+' | '-') =>
  `UPDATE totals SET items = items ${sign} 1, bytes = bytes ${sign} ${row}.bytes WHERE kind = ${row}.kind AND owner = ${row}.owner`

/**
 * Rows are stored in the order of the lists, so a page is one piece of the file. `settled` is 0 while the document of a row
 * is being written or erased: a killed process leaves these few rows to be compared with their documents.
 */
export const schema = `
  CREATE TABLE items (kind TEXT NOT NULL, owner TEXT NOT NULL, created INTEGER NOT NULL, id TEXT NOT NULL, expires INTEGER,
    version INTEGER NOT NULL, bytes INTEGER NOT NULL, kept INTEGER NOT NULL, keptBytes INTEGER NOT NULL,
    settled INTEGER NOT NULL, PRIMARY KEY (kind, owner, created, id)) WITHOUT ROWID;
  CREATE INDEX by_creation ON items (kind, created, id);
  CREATE INDEX by_expiry ON items (kind, expires) WHERE expires IS NOT NULL;
  CREATE INDEX unsettled ON items (kind) WHERE settled = 0;
  CREATE TABLE totals (kind TEXT NOT NULL, owner TEXT NOT NULL, items INTEGER NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (kind, owner)) WITHOUT ROWID;
  CREATE TRIGGER added AFTER INSERT ON items BEGIN
    INSERT INTO totals VALUES (new.kind, new.owner, 0, 0) ON CONFLICT DO NOTHING;
    ${addTotal('new', '+')};
  END;
  CREATE TRIGGER removed AFTER DELETE ON items BEGIN ${addTotal('old', '-')}; END;
  CREATE TRIGGER changed AFTER UPDATE OF bytes ON items WHEN new.bytes <> old.bytes BEGIN
    ${addTotal('old', '-')};
    ${addTotal('new', '+')};
  END`
