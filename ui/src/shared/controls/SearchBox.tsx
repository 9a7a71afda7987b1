import { SearchField } from './SearchField';

/** Filters the rows of this page while it is typed; `/` goes there, Esc empties it. */
export function SearchBox(props: { label: string; value: string; onChange: (value: string) => void }) {
  return <SearchField {...props} keys="/" />;
}
