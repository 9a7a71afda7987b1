import { SearchField } from './SearchField';

/** Filters the rows of this page while typing; `/` focuses it, Esc clears it. */
export function SearchBox(props: { label: string; value: string; onChange: (value: string) => void }) {
  return <SearchField {...props} keys="/" />;
}
