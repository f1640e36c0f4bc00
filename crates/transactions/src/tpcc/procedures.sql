IF p_c = 0 THEN
  SELECT COUNT(c_id) INTO v_n FROM customer WHERE c_w_id = p_cw AND c_d_id = p_cd AND c_last = p_last;
  SET v_n = (v_n + 1) DIV 2 - 1;
  SELECT c_id INTO p_c FROM customer WHERE c_w_id = p_cw AND c_d_id = p_cd AND c_last = p_last
    ORDER BY c_first LIMIT v_n, 1;
END IF;

IF p_count >= # AND missing = 0 THEN
  SELECT i_price, i_name, i_data INTO v_price, v_name, v_data FROM item WHERE i_id = i#;
  IF missing = 0 THEN
    SELECT s_quantity, s_data, CASE p_d DISTRICT_TEXTS END INTO v_left, v_data, v_dist FROM stock
      WHERE s_i_id = i# AND s_w_id = s# FOR UPDATE;
    IF missing = 1 THEN SET lost = 1; END IF;
    UPDATE stock SET s_quantity = IF(v_left >= q# + 10, v_left - q#, v_left - q# + 91),
      s_ytd = s_ytd + q#, s_order_cnt = s_order_cnt + 1, s_remote_cnt = s_remote_cnt + (s# <> p_w)
      WHERE s_i_id = i# AND s_w_id = s#;
    INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity,
      ol_amount, ol_dist_info) VALUES (v_o, p_d, p_w, #, i#, s#, q#, q# * v_price, v_dist);
  END IF;
END IF;

CREATE PROCEDURE cpulens_tpcc_new_order(IN p_w INT, IN p_d INT, IN p_c INT, IN p_count INT, IN p_local INT, IN p_now DATETIME, LINE_PARAMETERS)
BEGIN
  DECLARE missing, lost, v_o, v_left INT DEFAULT 0;
  DECLARE v_discount, v_w_tax, v_d_tax DECIMAL(4,4);
  DECLARE v_price DECIMAL(5,2);
  DECLARE v_credit CHAR(2);
  DECLARE v_last VARCHAR(16);
  DECLARE v_dist, v_name VARCHAR(24);
  DECLARE v_data VARCHAR(50);
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET missing = 1;
  START TRANSACTION;
  SELECT c_discount, c_last, c_credit, w_tax INTO v_discount, v_last, v_credit, v_w_tax FROM customer, warehouse
    WHERE w_id = p_w AND c_w_id = w_id AND c_d_id = p_d AND c_id = p_c;
  SELECT d_next_o_id, d_tax INTO v_o, v_d_tax FROM district WHERE d_w_id = p_w AND d_id = p_d FOR UPDATE;
  SET lost = missing;
  UPDATE district SET d_next_o_id = v_o + 1 WHERE d_w_id = p_w AND d_id = p_d;
  INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local)
    VALUES (v_o, p_d, p_w, p_c, p_now, p_count, p_local);
  INSERT INTO new_order (no_o_id, no_d_id, no_w_id) VALUES (v_o, p_d, p_w);
  LINES
  IF missing = 1 THEN ROLLBACK; ELSE COMMIT; END IF;
  SELECT IF(lost = 1, -1, 1 - missing);
END

CREATE PROCEDURE cpulens_tpcc_payment(IN p_w INT, IN p_d INT, IN p_cw INT, IN p_cd INT, IN p_c INT, IN p_last LAST_NAME, IN p_amount DECIMAL(6,2), IN p_now DATETIME)
BEGIN
  DECLARE v_n INT;
  DECLARE v_w_name, v_d_name VARCHAR(10);
  DECLARE v_credit CHAR(2);
  DECLARE v_data VARCHAR(500);
  START TRANSACTION;
  UPDATE warehouse SET w_ytd = w_ytd + p_amount WHERE w_id = p_w;
  SELECT w_name INTO v_w_name FROM warehouse WHERE w_id = p_w;
  UPDATE district SET d_ytd = d_ytd + p_amount WHERE d_w_id = p_w AND d_id = p_d;
  SELECT d_name INTO v_d_name FROM district WHERE d_w_id = p_w AND d_id = p_d;
  BY_NAME
  SELECT c_credit INTO v_credit FROM customer WHERE c_w_id = p_cw AND c_d_id = p_cd AND c_id = p_c FOR UPDATE;
  IF v_credit = 'BC' THEN
    SELECT c_data INTO v_data FROM customer WHERE c_w_id = p_cw AND c_d_id = p_cd AND c_id = p_c;
    UPDATE customer SET c_balance = c_balance - p_amount, c_ytd_payment = c_ytd_payment + p_amount,
      c_payment_cnt = c_payment_cnt + 1,
      c_data = LEFT(CONCAT_WS(' ', p_c, p_cd, p_cw, p_d, p_w, p_amount, v_data), 500)
      WHERE c_w_id = p_cw AND c_d_id = p_cd AND c_id = p_c;
  ELSE
    UPDATE customer SET c_balance = c_balance - p_amount, c_ytd_payment = c_ytd_payment + p_amount,
      c_payment_cnt = c_payment_cnt + 1 WHERE c_w_id = p_cw AND c_d_id = p_cd AND c_id = p_c;
  END IF;
  INSERT INTO history (h_c_d_id, h_c_w_id, h_c_id, h_d_id, h_w_id, h_date, h_amount, h_data)
    VALUES (p_cd, p_cw, p_c, p_d, p_w, p_now, p_amount, CONCAT(v_w_name, '    ', v_d_name));
  COMMIT;
  SELECT 1;
END

CREATE PROCEDURE cpulens_tpcc_order_status(IN p_cw INT, IN p_cd INT, IN p_c INT, IN p_last LAST_NAME)
BEGIN
  DECLARE v_n, v_o INT;
  START TRANSACTION;
  BY_NAME
  SELECT c_balance, c_first, c_middle, c_last FROM customer WHERE c_w_id = p_cw AND c_d_id = p_cd AND c_id = p_c;
  SELECT o_id INTO v_o FROM orders WHERE o_w_id = p_cw AND o_d_id = p_cd AND o_c_id = p_c ORDER BY o_id DESC LIMIT 1;
  SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line
    WHERE ol_w_id = p_cw AND ol_d_id = p_cd AND ol_o_id = v_o;
  COMMIT;
  SELECT 1;
END

CREATE PROCEDURE cpulens_tpcc_delivery(IN p_w INT, IN p_carrier INT, IN p_now DATETIME)
BEGIN
  DECLARE v_d, v_o, v_c INT;
  DECLARE v_sum DECIMAL(12,2);
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET v_o = NULL;
  START TRANSACTION;
  SET v_d = 1;
  WHILE v_d <= 10 DO
    SELECT no_o_id INTO v_o FROM new_order WHERE no_w_id = p_w AND no_d_id = v_d ORDER BY no_o_id LIMIT 1 FOR UPDATE;
    IF v_o IS NOT NULL THEN
      DELETE FROM new_order WHERE no_w_id = p_w AND no_d_id = v_d AND no_o_id = v_o;
      SELECT o_c_id INTO v_c FROM orders WHERE o_w_id = p_w AND o_d_id = v_d AND o_id = v_o;
      UPDATE orders SET o_carrier_id = p_carrier WHERE o_w_id = p_w AND o_d_id = v_d AND o_id = v_o;
      UPDATE order_line SET ol_delivery_d = p_now WHERE ol_w_id = p_w AND ol_d_id = v_d AND ol_o_id = v_o;
      SELECT SUM(ol_amount) INTO v_sum FROM order_line WHERE ol_w_id = p_w AND ol_d_id = v_d AND ol_o_id = v_o;
      UPDATE customer SET c_balance = c_balance + v_sum, c_delivery_cnt = c_delivery_cnt + 1
        WHERE c_w_id = p_w AND c_d_id = v_d AND c_id = v_c;
    END IF;
    SET v_d = v_d + 1;
  END WHILE;
  COMMIT;
  SELECT 1;
END

CREATE PROCEDURE cpulens_tpcc_stock_level(IN p_w INT, IN p_d INT, IN p_threshold INT)
BEGIN
  DECLARE v_o, v_low INT;
  START TRANSACTION;
  SELECT d_next_o_id INTO v_o FROM district WHERE d_w_id = p_w AND d_id = p_d;
  SELECT COUNT(DISTINCT s_i_id) INTO v_low FROM order_line, stock WHERE ol_w_id = p_w AND ol_d_id = p_d
    AND ol_o_id < v_o AND ol_o_id >= v_o - 20 AND s_w_id = p_w AND s_i_id = ol_i_id AND s_quantity < p_threshold;
  COMMIT;
  SELECT 1;
END
