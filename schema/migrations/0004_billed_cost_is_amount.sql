-- What is invoiced was kept twice, and rows written through the interface had it as amount only. The amount stays; what differed is noted.
-- drop: spends.billed_cost

SELECT 'spends ' || hex(id) || ': amount is ' || amount || ', billed_cost was ' || billed_cost FROM spends
WHERE billed_cost <> amount ORDER BY id LIMIT 1000;
SELECT 'spends: ' || count(*) || ' rows had another billed_cost than amount' FROM spends WHERE billed_cost <> amount HAVING count(*) > 1000;
