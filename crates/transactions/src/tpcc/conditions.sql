SELECT COUNT(*) FROM warehouse
    JOIN (SELECT d_w_id, SUM(d_ytd) AS paid FROM district GROUP BY d_w_id) d ON d_w_id = w_id
    WHERE ABS(w_ytd - paid) > 0.01

SELECT COUNT(*) FROM district
    LEFT JOIN (SELECT o_w_id, o_d_id, MAX(o_id) AS last FROM orders
        GROUP BY o_w_id, o_d_id) o ON o_w_id = d_w_id AND o_d_id = d_id
    LEFT JOIN (SELECT no_w_id, no_d_id, MAX(no_o_id) AS newest FROM new_order
        GROUP BY no_w_id, no_d_id) n ON no_w_id = d_w_id AND no_d_id = d_id
    WHERE last IS NULL OR d_next_o_id - 1 <> last OR COALESCE(newest, last) <> last

SELECT COUNT(*) FROM (SELECT MAX(no_o_id) - MIN(no_o_id) + 1 AS span, COUNT(*) AS n FROM new_order
        GROUP BY no_w_id, no_d_id) s
    WHERE span <> n

SELECT COUNT(*) FROM (SELECT o_w_id, o_d_id, SUM(o_ol_cnt) AS n FROM orders GROUP BY o_w_id, o_d_id) o
    LEFT JOIN (SELECT ol_w_id, ol_d_id, COUNT(*) AS rows_there FROM order_line
        GROUP BY ol_w_id, ol_d_id) l ON ol_w_id = o_w_id AND ol_d_id = o_d_id
    WHERE COALESCE(rows_there, 0) <> n

SELECT COUNT(*) FROM orders
    LEFT JOIN new_order ON no_w_id = o_w_id AND no_d_id = o_d_id AND no_o_id = o_id
    WHERE (o_carrier_id IS NULL) <> (no_o_id IS NOT NULL)

SELECT COUNT(*) FROM orders
    LEFT JOIN (SELECT ol_w_id, ol_d_id, ol_o_id, COUNT(*) AS n FROM order_line
        GROUP BY ol_w_id, ol_d_id, ol_o_id) l ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
    WHERE COALESCE(n, 0) <> o_ol_cnt

SELECT COUNT(*) FROM order_line
    JOIN orders ON o_w_id = ol_w_id AND o_d_id = ol_d_id AND o_id = ol_o_id
    WHERE (ol_delivery_d IS NULL) <> (o_carrier_id IS NULL)

SELECT COUNT(*) FROM warehouse
    LEFT JOIN (SELECT h_w_id, SUM(h_amount) AS paid FROM history GROUP BY h_w_id) h ON h_w_id = w_id
    WHERE ABS(w_ytd - COALESCE(paid, 0)) > 0.01

SELECT COUNT(*) FROM district
    LEFT JOIN (SELECT h_w_id, h_d_id, SUM(h_amount) AS paid FROM history
        GROUP BY h_w_id, h_d_id) h ON h_w_id = d_w_id AND h_d_id = d_id
    WHERE ABS(d_ytd - COALESCE(paid, 0)) > 0.01

SELECT COUNT(*) FROM customer
    LEFT JOIN (SELECT o_w_id, o_d_id, o_c_id, SUM(ol_amount) AS billed FROM orders
        JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
        WHERE ol_delivery_d IS NOT NULL
        GROUP BY o_w_id, o_d_id, o_c_id) b ON o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id
    LEFT JOIN (SELECT h_c_w_id, h_c_d_id, h_c_id, SUM(h_amount) AS paid FROM history
        GROUP BY h_c_w_id, h_c_d_id, h_c_id) h ON h_c_w_id = c_w_id AND h_c_d_id = c_d_id AND h_c_id = c_id
    WHERE ABS(c_balance - COALESCE(billed, 0) + COALESCE(paid, 0)) > 0.01

SELECT COUNT(*) FROM (SELECT o_w_id, o_d_id, COUNT(*) AS n FROM orders GROUP BY o_w_id, o_d_id) o
    LEFT JOIN (SELECT no_w_id, no_d_id, COUNT(*) AS fresh FROM new_order
        GROUP BY no_w_id, no_d_id) f ON no_w_id = o_w_id AND no_d_id = o_d_id
    JOIN (SELECT c_w_id, c_d_id, SUM(c_delivery_cnt) AS gone FROM customer
        GROUP BY c_w_id, c_d_id) c ON c_w_id = o_w_id AND c_d_id = o_d_id
    WHERE n - COALESCE(fresh, 0) <> DELIVERED + gone

SELECT COUNT(*) FROM customer
    LEFT JOIN (SELECT o_w_id, o_d_id, o_c_id, SUM(ol_amount) AS billed FROM orders
        JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
        WHERE ol_delivery_d IS NOT NULL
        GROUP BY o_w_id, o_d_id, o_c_id) b ON o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id
    WHERE ABS(c_balance + c_ytd_payment - COALESCE(billed, 0)) > 0.01
