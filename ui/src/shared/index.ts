/**
 * Pieces every page is made of; they know no area and ask no service. Import from here.
 *
 *   <Page title="Explorer" crumb="Costs" actions={…} filters={<><DateRangePicker …/><Select label="Group by" …/><Filters …/></>} side={<SidePanel …/>}>
 *     <Panel title="By service" meta="…" actions={…}>
 *       <Content of={query} what="Costs could not be read">{(data) => …}</Content>
 *       <DataTable label="Costs by service" columns={columns} rows={query.data?.rows} rowId={(r) => r.id} empty={<Empty …/>} primary />
 *
 * Address: filters, sorting and the open row live in the search parameters of the route (`useSearch`, `useNavigate` of TanStack Router).
 * Data: `useGraphQL` of `@/api`. Money: `money(value, currency)`; add only within one currency, with `sum` of decimals, never with `+`.
 * Keys: `useCommands([{ id, title, group: 'Do', keys: 'shift+e', icon, run }])` puts an action into palette, `?` sheet and keyboard at once.
 * Charts: `<Chart kind="stacked" …/>`; its values go in exact and are read out exact; colours by `nthColor(i)`. Keep `days` and `series`
 * stable with `useMemo`, the canvas is redrawn when they change. Icons: `lucide-react`, `className="i"` (16 px) or `"i s"` (14 px).
 * Look: classes of shared/styles (row, stack, split, kpis, figs, note, badge, tag, kv, li …). No `style` text in HTML; React's `style` prop is fine.
 */
export { Avatar } from './Avatar';
export { bytesOf } from './bytes';
export { likelihoods } from './evidence/causes';
export type { Causes } from './evidence/causes';
export { Hypotheses, lookedAt } from './evidence/Hypotheses';
export { Chart, preloadChart } from './chart/Chart';
export { nthColor, seriesColor } from './chart/palette';
export { Spark } from './chart/Spark';
export type { Band, ChartProps, Dots, Mark, Series } from './chart/types';
export { AskAbout } from './controls/AskAbout';
export { Button } from './controls/Button';
export { Check } from './controls/Check';
export { CopyCommand } from './controls/CopyCommand';
export { Dialog } from './controls/Dialog';
export { ExportButton } from './controls/ExportButton';
export { ExportMenu } from './controls/ExportMenu';
export { saveSheet } from './sheet/sheet';
export { billedHeader } from './billedHeader';
export type { Format, Sheet } from './sheet/sheet';
export { Field } from './controls/Field';
export { Form, useProblemFocus } from './controls/Form';
export { FileButton, FileDrop } from './controls/FileDrop';
export { Filters } from './controls/Filters';
export type { Filter, FilterField } from './controls/Filters';
export { Menu } from './controls/Menu';
export type { MenuEntry } from './controls/Menu';
export { PlaceLink } from './controls/PlaceLink';
export { Popup } from './controls/Popup';
export { SearchBox } from './controls/SearchBox';
export { SearchField } from './controls/SearchField';
export { Segmented } from './controls/Segmented';
export { Select } from './controls/Select';
export { Tabs } from './controls/Tabs';
export { Toggle } from './controls/Toggle';
export { useFocusReturn } from './controls/useFocusReturn';
export { useHeldFocus } from './controls/useHeldFocus';
export { csv } from './csv';
export { compare, divide, isZero, ratio, subtract, sum } from './decimal';
export type { Numeric } from './decimal';
export * from './format';
export { endJob, showJob, useJobs } from './jobs';
export type { Job } from './jobs';
export { useCommands } from './keyboard/commands';
export type { Command } from './keyboard/commands';
export { Keys } from './keyboard/Keys';
export { useNow, useToday } from './now';
export { Page } from './panel/Page';
export { Panel } from './panel/Panel';
export { CopyLink } from './panel/CopyLink';
export { Fact } from './panel/Fact';
export { SidePanel } from './panel/SidePanel';
export { Tile } from './panel/Tile';
export { useFocusInside } from './panel/useFocusInside';
export { Content, Empty, Failure, Loading } from './panel/states';
export { NothingImported } from './panel/NothingImported';
export { Severity, Status } from './status';
export type { SeverityName, Tone } from './status';
export { ColumnChooser } from './table/ColumnChooser';
export { dayRoom, dayWidth, sortFromText, sortRows, sortToText, timeRoom, timeWidth } from './table/column';
export type { Column, Sort } from './table/column';
export { DataTable, mostPrinted } from './table/DataTable';
export { createStore, useStore } from './store';
export { setTheme, toggleTheme, useTheme } from './theme';
export { DateRangePicker } from './time/DateRangePicker';
export * from './time/range';
export { toast } from './toast';
export { useLater } from './useLater';
export { usePrinting } from './printing';
export { isNarrowNow, useNarrow } from './useNarrow';
export { useCurrentInView } from './useCurrentInView';
export { ViewsMenu } from './views/ViewsMenu';
export type { SavedView, SavedViews, ViewSearch } from './views/ViewsMenu';
